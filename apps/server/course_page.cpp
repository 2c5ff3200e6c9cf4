#include "apps/server/course_page.h"

#include <memory>
#include <nlohmann/json.hpp>

#include "api/edit/course.h"
#include "apps/server/page.h"

namespace ambit::server {
namespace {

using Json = nlohmann::json;

Json exercise_json(const api::Exercise& exercise) {
  Json locked = Json::array();
  for (const api::LineRange& lines : exercise.locked) locked.push_back({lines.first, lines.last});
  return {{"name", exercise.name},       {"title", exercise.title},
          {"file", exercise.file},       {"text", exercise.text},
          {"answer", exercise.answer},   {"hint", exercise.hint},
          {"locked", std::move(locked)}, {"expectations", exercise.expectations}};
}

Result<api::Course> shipped_course() {
  api::CourseFiles files;
  for (const PageFile& file : course_files()) {
    files[std::string(file.path)] =
        std::make_shared<const SourceFile>(SourceFile{std::string(file.path), std::string(file.text)});
  }
  return api::make_course(files, "the shipped course");
}

}  // namespace

Result<std::string> course_json(const std::string& folder) {
  const Result<api::Course> course = folder.empty() ? shipped_course() : api::read_course(folder);
  if (!course.ok()) return course.errors();
  Json lessons = Json::array();
  for (const api::Lesson& lesson : course.value().lessons) {
    Json exercises = Json::array();
    for (const api::Exercise& exercise : lesson.exercises) exercises.push_back(exercise_json(exercise));
    lessons.push_back({{"number", lesson.number},
                       {"title", lesson.title},
                       {"text", lesson.text},
                       {"exercises", std::move(exercises)}});
  }
  const Json json{{"title", course.value().title}, {"isOwn", !folder.empty()}, {"lessons", std::move(lessons)}};
  return json.dump();  // dump() cannot throw, because parser::read_source accepts only UTF-8
}

}  // namespace ambit::server
