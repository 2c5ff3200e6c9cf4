// Answers the requests of a page without a server. The page's workers call ambit_answer (web/src/engine.js).
#include <chrono>
#include <cstdint>
#include <string>

#include "apps/server/course_page.h"
#include "apps/server/worker.h"

namespace {

/// Returns the worker, which keeps the models between requests.
ambit::server::Worker& worker() {
  static ambit::server::Worker worker;
  return worker;
}

}  // namespace

/// Answers a request (server::Worker::answer) within `milliseconds`. The returned answer is valid until the next call.
extern "C" const char* ambit_answer(const char* request, double milliseconds) {
  static std::string answer;
  answer = worker().answer(request, std::chrono::milliseconds(static_cast<std::int64_t>(milliseconds)));
  return answer.c_str();
}

/// Returns the shipped course for the page, or an empty text. The build of the page writes it into a file.
extern "C" const char* ambit_course() {
  static const auto course = ambit::server::course_json("");
  return course.ok() ? course.value().c_str() : "";
}
