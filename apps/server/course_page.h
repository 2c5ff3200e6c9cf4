#pragma once

#include <string>

#include "base/source.h"

namespace ambit::server {

/// Returns the course as JSON for the page (course.json): {"title", "isOwn", "lessons": [{number, title, text,
/// exercises: [{name, title, file, text, answer, hint, locked: [[first, last]], expectations}]}]}. `folder`: the folder
/// of a course. If `folder` is empty, returns the shipped course. "isOwn" is false for the shipped course. Errors:
/// errors of api::read_course.
Result<std::string> course_json(const std::string& folder);

}  // namespace ambit::server
