#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "api/edit/exercise_locks.h"
#include "base/source.h"

namespace ambit::api {

/// A test that fails until the learner has changed it.
struct Exercise {
  std::string name;               ///< "03-fence-place"
  std::string title;              ///< "fence-place"
  std::string file;               ///< "03-fence-place.litmus"
  std::string text;               ///< text of the test
  std::string answer;             ///< text of a solution; empty if the course has no solution
  std::string hint;               ///< Markdown; empty if the course has no hint
  std::vector<LineRange> locked;  ///< lines that the learner must not change
  std::size_t expectations = 0;   ///< number of models with an expectation; a model under a scheduler counts separately
};

struct Lesson {
  std::uint32_t number = 0;
  std::string title;
  std::string text;  ///< Markdown
  std::vector<Exercise> exercises;
};

/// A course of lessons with exercises (docs/guide/playground.md, section "Courses of your own").
struct Course {
  std::string title;
  std::vector<Lesson> lessons;  ///< ordered by number
};

/// The files of a course. The key is the path relative to the course's folder: "03-fences.md",
/// "exercises/03-fence-place.litmus". Error messages show the path of the SourceFile, not this key.
using CourseFiles = std::map<std::string, SourceFilePtr>;

/// Makes a course from its files. The learner solves an exercise by changing its program; the condition and the
/// expectations are locked. If the solution's expectations differ from the exercise's expectations, the learner changes
/// only the expectations: the rest of the text is locked.
///
/// Errors: there are no lessons; a lesson has no title, or its number is also the number of another lesson; a lesson
/// names a file that does not exist; no lesson names an exercise, answer or hint; a test cannot be read or has no
/// expectation. An error that does not concern a single file names `folder`.
Result<Course> make_course(const CourseFiles& files, const std::string& folder);

/// Reads a course's folder. Errors: the errors of make_course; the folder or one of its files cannot be read.
Result<Course> read_course(const std::string& folder);

}  // namespace ambit::api
