#include "suite/task_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "suite/json_places.h"

namespace ambit::suite {
namespace {

using Json = nlohmann::ordered_json;
using Direction = TaskArray::Direction;

constexpr const char* kTaskHint = "docs/reference/judge-suite.md describes the fields";
constexpr std::uint64_t kMostInputs = 1000;
constexpr double kLongestTime = 1e6;
/// All integers up to this number are exact in a double.
constexpr double kLargestInteger = 9007199254740992.0;

class TaskReader {
 public:
  TaskReader(SourceFilePtr source, const Json& json)
      : source_(std::move(source)), places_(source_->text), json_(json) {}

  Result<TaskFile> read() {
    for (const std::string& path : places_.repeated()) fail(path, "this field occurs more than once");
    TaskFile task;
    task.text = source_;
    require_known(json_, "",
                  {"about", "launch", "launches", "arrays", "tolerance", "inputs", "seed", "timeout_seconds"});
    read_about();
    read_launches(task);
    const Tolerance tolerance = read_tolerance(json_, "");
    read_arrays(tolerance, task);
    task.inputs = read_count("inputs", task.inputs, 1, kMostInputs);
    task.seed = read_count("seed", task.seed, 0, static_cast<std::uint64_t>(kLargestInteger));
    read_timeout(task);
    if (!errors_.empty()) return std::move(errors_);
    return task;
  }

 private:
  void fail(const std::string& path, std::string message, std::string hint = kTaskHint) {
    errors_.push_back({source_, places_.of(path), std::move(message), std::move(hint)});
  }

  void require_known(const Json& object, const std::string& path, std::initializer_list<std::string_view> fields) {
    const std::vector<std::string_view> known(fields);
    for (const auto& [name, value] : object.items()) {
      if (std::ranges::find(known, name) != known.end()) continue;
      const std::string_view near = nearest_name(name, known);
      fail(path + "/" + name, fmt::format("unknown field '{}'", name),
           near.empty() ? fmt::format("the fields are {}", fmt::join(known, ", ")) : fmt::format("write {}", near));
    }
  }

  void read_about() {
    const auto found = json_.find("about");
    if (found != json_.end() && !found->is_string()) fail("/about", "'about': expected a text");
  }

  void read_launches(TaskFile& task) {
    const auto launch = json_.find("launch");
    if (launch == json_.end()) {
      fail("", "the field 'launch' is missing", "write \"launch\": \"kernel<<<2, 64>>>(float in[128], float out[2])\"");
    } else if (!launch->is_string()) {
      fail("/launch", "'launch': expected a text");
    } else {
      task.launch = launch->get<std::string>();
    }
    const auto own = json_.find("launches");
    if (own == json_.end()) return;
    if (!own->is_object()) return fail("/launches", "'launches': expected an object with a launch for each file");
    for (const auto& [file, value] : own->items()) {
      if (value.is_string()) {
        task.launches[file] = value.get<std::string>();
      } else {
        fail("/launches/" + file, fmt::format("'{}': expected a launch", file));
      }
    }
  }

  void read_arrays(const Tolerance& tolerance, TaskFile& task) {
    const auto arrays = json_.find("arrays");
    if (arrays == json_.end()) return fail("", "the field 'arrays' is missing");
    if (!arrays->is_object()) return fail("/arrays", "'arrays': expected an object with each array of the launch");
    for (const auto& [name, value] : arrays->items()) {
      const std::string path = "/arrays/" + name;
      if (value.is_object()) {
        task.arrays[name] = read_array(value, path, tolerance);
      } else {
        fail(path, fmt::format("'{}': expected an object with a direction", name));
      }
    }
    const auto is_result = [](const auto& one) {
      return one.second.direction == Direction::Out || one.second.direction == Direction::InOut;
    };
    if (errors_.empty() && std::ranges::none_of(task.arrays, is_result)) {
      fail("/arrays", "no array is a result", "set the direction of at least one array to \"out\" or \"inout\"");
    }
  }

  TaskArray read_array(const Json& json, const std::string& path, const Tolerance& tolerance) {
    TaskArray array;
    require_known(json, path, {"direction", "fill", "tolerance"});
    const auto direction = json.find("direction");
    const std::string word = direction != json.end() && direction->is_string() ? direction->get<std::string>() : "";
    if (word == "in") {
      array.direction = Direction::In;
    } else if (word == "out") {
      array.direction = Direction::Out;
    } else if (word == "inout") {
      array.direction = Direction::InOut;
    } else if (word == "scratch") {
      array.direction = Direction::Scratch;
    } else {
      fail(path + "/direction", "'direction': expected \"in\", \"out\", \"inout\" or \"scratch\"");
    }
    const bool is_filled = array.direction == Direction::In || array.direction == Direction::InOut;
    if (const auto fill = json.find("fill"); fill != json.end()) {
      array.fill = read_fill(*fill, path + "/fill");
      if (!is_filled) fail(path + "/fill", "only arrays with direction \"in\" or \"inout\" are filled");
    }
    array.tolerance = read_tolerance(json, path);
    if (!array.tolerance.absolute) array.tolerance.absolute = tolerance.absolute;
    if (!array.tolerance.relative) array.tolerance.relative = tolerance.relative;
    return array;
  }

  Fill read_fill(const Json& json, const std::string& path) {
    if (json == "zeros") return {Fill::Kind::Integers, 0, 0};
    if (json == "permutation") return {Fill::Kind::Permutation};
    const bool is_range =
        json.is_object() && json.size() == 1 && (json.contains("uniform") || json.contains("integers"));
    if (!is_range) {
      fail(path,
           "'fill': expected {\"uniform\": [LOW, HIGH]}, {\"integers\": [LOW, HIGH]}, \"permutation\" or \"zeros\"");
      return {};
    }
    const bool is_uniform = json.contains("uniform");
    const Json& range = json.front();
    const bool is_pair = range.is_array() && range.size() == 2 && range[0].is_number() && range[1].is_number();
    const double low = is_pair ? range[0].get<double>() : 0;
    const double high = is_pair ? range[1].get<double>() : 0;
    const bool is_good = is_pair && std::isfinite(low) && std::isfinite(high) && std::isfinite(high - low) &&
                         (is_uniform ? low < high : low <= high);
    const auto is_integer = [](double number) {
      return std::floor(number) == number && std::abs(number) <= kLargestInteger;
    };
    if (!is_good) {
      fail(path, is_uniform ? "'uniform': expected two numbers, the lower one first"
                            : "'integers': expected two integers, the lower one first");
    } else if (!is_uniform && !(is_integer(low) && is_integer(high))) {
      fail(path, "'integers': expected integers from -2^53 to 2^53");
    }
    return {is_uniform ? Fill::Kind::Uniform : Fill::Kind::Integers, low, high};
  }

  Tolerance read_tolerance(const Json& parent, const std::string& parent_path) {
    const auto found = parent.find("tolerance");
    if (found == parent.end()) return {};
    const std::string path = parent_path + "/tolerance";
    if (!found->is_object()) {
      fail(path, "'tolerance': expected {\"absolute\": NUMBER, \"relative\": NUMBER}");
      return {};
    }
    require_known(*found, path, {"absolute", "relative"});
    return {read_limit(*found, "absolute", path), read_limit(*found, "relative", path)};
  }

  std::optional<double> read_limit(const Json& tolerance, const char* name, const std::string& path) {
    const auto found = tolerance.find(name);
    if (found == tolerance.end()) return std::nullopt;
    if (found->is_number() && std::isfinite(found->get<double>()) && found->get<double>() >= 0) {
      return found->get<double>();
    }
    fail(fmt::format("{}/{}", path, name), fmt::format("'{}': expected a number that is not negative", name));
    return std::nullopt;
  }

  std::uint64_t read_count(const char* name, std::uint64_t without, std::uint64_t low, std::uint64_t high) {
    const auto found = json_.find(name);
    if (found == json_.end()) return without;
    if (found->is_number_unsigned() && found->get<std::uint64_t>() >= low && found->get<std::uint64_t>() <= high) {
      return found->get<std::uint64_t>();
    }
    fail(fmt::format("/{}", name), fmt::format("'{}': expected an integer from {} to {}", name, low, high));
    return without;
  }

  void read_timeout(TaskFile& task) {
    const auto found = json_.find("timeout_seconds");
    if (found == json_.end()) return;
    const double seconds = found->is_number() ? found->get<double>() : 0;
    if (seconds > 0 && seconds <= kLongestTime) {
      task.timeout_seconds = seconds;
    } else {
      fail("/timeout_seconds", "'timeout_seconds': expected a number above 0, at most 1000000");
    }
  }

  SourceFilePtr source_;
  JsonPlaces places_;
  const Json& json_;
  Diagnostics errors_;
};

}  // namespace

Diagnostic TaskFile::error_at(const std::string& path, std::string message, std::string hint) const {
  return {text, JsonPlaces(text->text).of(path), std::move(message), std::move(hint)};
}

Result<TaskFile> read_task_file(const SourceFilePtr& source) {
  Json json;
  try {
    json = Json::parse(source->text);
  } catch (const nlohmann::json::parse_error& error) {
    return Diagnostic{source, place_of(source->text, error.byte == 0 ? 0 : error.byte - 1),
                      "a task file is a JSON object, and this is not JSON", kTaskHint};
  } catch (const nlohmann::json::exception&) {
    return Diagnostic{source, {1, 1, 1}, "a number in this file is too large", kTaskHint};
  }
  if (!json.is_object()) return Diagnostic{source, {1, 1, 1}, "a task file is a JSON object", kTaskHint};
  return TaskReader(source, json).read();
}

}  // namespace ambit::suite
