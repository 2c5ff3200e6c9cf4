#pragma once

#include <string>

#include "core/source.h"

namespace ambit::server {

/// Returns the course in the form that the page reads (course.json): {"title", "isOwn", "lessons": [{number, title,
/// text, exercises: [{name, title, file, text, answer, hint, locked: [[first, last]], expectations}]}]}. `folder`: the
/// folder of a course; if empty, the shipped course, whose "isOwn" is false. Errors: those of api::read_course.
Result<std::string> course_json(const std::string& folder);

}  // namespace ambit::server
