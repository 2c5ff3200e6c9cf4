#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "api/exercise_locks.h"
#include "core/source.h"

namespace ambit::api {

/// A test that fails until the learner has changed it.
struct Exercise {
  std::string name;               ///< "03-fence-place"
  std::string title;              ///< "fence-place"
  std::string file;               ///< "03-fence-place.litmus"
  std::string text;               ///< of the test
  std::string answer;             ///< the text of a solution; empty: the course has none
  std::string hint;               ///< Markdown; empty: the course has none
  std::vector<LineRange> locked;  ///< lines that the learner must not change
  std::size_t expectations = 0;   ///< number of models, and models under a scheduler, with an expectation
};

struct Lesson {
  std::uint32_t number = 0;
  std::string title;
  std::string text;  ///< Markdown
  std::vector<Exercise> exercises;
};

/// A course of lessons with exercises (docs/playground.md, "Courses of your own").
struct Course {
  std::string title;
  std::vector<Lesson> lessons;  ///< by number
};

/// The files of a course, by their paths in its folder: "03-fences.md", "exercises/03-fence-place.litmus". Errors show
/// a file's own path.
using CourseFiles = std::map<std::string, SourceFilePtr>;

/// Makes the course of its files. The learner solves an exercise by a change of its program: the condition and the
/// expectations are locked. If its answer has other expectations, the learner solves it by a change of the
/// expectations, and all else is locked.
///
/// Errors: no lesson; a lesson without a title, or with the number of another lesson; an exercise, answer or hint that
/// a lesson names and that does not exist, or that no lesson names; a test that cannot be read or expects nothing.
/// `folder` is the name in errors that concern no file.
Result<Course> make_course(const CourseFiles& files, const std::string& folder);

/// Reads a course's folder. Errors: those of make_course; the folder or a file of it cannot be read.
Result<Course> read_course(const std::string& folder);

}  // namespace ambit::api
