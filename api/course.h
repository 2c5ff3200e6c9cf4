#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "api/exercise_locks.h"
#include "core/source.h"

namespace ambit::api {

/// A test that fails until its reader has changed it.
struct Exercise {
  std::string name;               ///< "03-fence-place"
  std::string title;              ///< "fence-place"
  std::string file;               ///< "03-fence-place.litmus"
  std::string text;               ///< of the test
  std::string answer;             ///< the text of a solution; empty: the course has none
  std::string hint;               ///< Markdown; empty: the course has none
  std::vector<LineRange> locked;  ///< lines that its reader must not change
  std::size_t expectations = 0;   ///< models, and models under a scheduler, of which the test expects something
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

/// The files of a course, by their paths in its folder: "03-fences.md", "exercises/03-fence-place.litmus". A file's own
/// path is the one that errors show.
using CourseFiles = std::map<std::string, SourceFilePtr>;

/// The course that its files make. An exercise is solved by a change of its program: the condition and the expectations
/// are locked. If its answer has other expectations, it is solved by a change of these, and all else is locked.
///
/// Errors: no lesson; a lesson without a title, or with the number of another; an exercise, answer or hint that is
/// named and not there, or there and not named; a test that cannot be read or expects nothing. `folder` is the name in
/// errors that concern no file.
Result<Course> make_course(const CourseFiles& files, const std::string& folder);

/// Reads a course's folder. Errors: those of make_course; the folder or a file of it cannot be read.
Result<Course> read_course(const std::string& folder);

}  // namespace ambit::api
