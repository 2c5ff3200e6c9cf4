#pragma once

#include <span>
#include <string_view>

namespace ambit::server {

/// A file of the playground's page. The program contains the file.
struct PageFile {
  std::string_view path;  ///< "/app.js"
  std::string_view type;  ///< "text/javascript"
  std::string_view text;
};

/// Returns all files; empty if the program was built without npm.
std::span<const PageFile> page_files();

/// Returns the files of the shipped course (api/edit/course.h). Paths are relative to the course's folder.
std::span<const PageFile> course_files();

}  // namespace ambit::server
