#include "api/campaign/part_result.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "api/files.h"
#include "report/logs/test_hash.h"

namespace ambit::api {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Returns the text of a result file: a line of JSON with the hash of the output, then the output.
std::string text_of(const PartResult& result) {
  const Json head = {{"part", result.part},
                     {"status", result.status},
                     {"failure", result.failure},
                     {"hash", report::text_hash(result.output)}};
  return head.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n" + result.output;
}

std::optional<PartResult> result_of(const std::string& text) {
  const std::size_t end = text.find('\n');
  if (end == std::string::npos) return std::nullopt;
  try {
    const Json head = Json::parse(text.substr(0, end));
    PartResult result{head.at("part").get<std::uint64_t>(), head.at("status").get<int>(),
                      head.at("failure").get<std::string>(), text.substr(end + 1)};
    if (head.at("hash").get<std::string>() == report::text_hash(result.output)) return result;
  } catch (const Json::exception&) {
    // The caller reports any damaged file with the same message.
  }
  return std::nullopt;
}

}  // namespace

std::optional<Diagnostic> PartResults::create(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder + "/results", error);
  if (!error) return std::nullopt;
  return path_error(folder + "/results", "cannot make the folder: " + error.message());
}

bool PartResults::has(std::uint64_t part) const { return access(path(part).c_str(), F_OK) == 0; }

std::size_t PartResults::count() const {
  std::size_t found = 0;
  std::error_code error;
  fs::directory_iterator it(folder_ + "/results", error);
  for (const fs::directory_iterator end; !error && it != end; it.increment(error)) {
    if (!it->path().filename().string().starts_with('.')) ++found;
  }
  return found;
}

Publication PartResults::publish(const PartResult& result) const {
  return publish_file(path(result.part), text_of(result));
}

Result<PartResult> PartResults::read(std::uint64_t part) const {
  const auto text = read_bytes(path(part));
  if (!text) return path_error(path(part), fmt::format("cannot read the result: {}", std::strerror(errno)));
  auto result = result_of(*text);
  if (result && result->part == part) return *std::move(result);
  Diagnostic error = path_error(path(part), "this result is damaged");
  error.hint = "remove the file and run ambit campaign work: the worker runs this part again";
  return error;
}

std::string PartResults::path(std::uint64_t part) const { return fmt::format("{}/results/{:06}", folder_, part); }

}  // namespace ambit::api
