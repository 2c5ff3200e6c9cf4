#include "api/external_detectors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>
#include <utility>

#include "api/files.h"
#include "base/child_process.h"
#include "base/number_text.h"

namespace ambit::api {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kExec = "exec:";
constexpr std::string_view kLibrary = ".so";

struct ClaimsWord {
  detector::Claims claims;
  std::string_view word;
};
constexpr std::array kClaims = {ClaimsWord{detector::Claims::Nothing, "nothing"},
                                ClaimsWord{detector::Claims::FirstRace, "first-race"},
                                ClaimsWord{detector::Claims::WitnessedRaces, "witnessed-races"}};

Diagnostic error_of(const std::string& given, std::string message, std::string hint) {
  Diagnostic error = path_error("--detector " + given, std::move(message));
  error.hint = std::move(hint);
  return error;
}

/// Returns whether a text is a valid detector name for tables and for -O NAME.OPTION=VALUE.
bool is_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

/// Returns the file's name up to its first dot: "mine" for "./tools/mine.py".
std::string name_of(const std::string& path) {
  std::string name = fs::path(path).filename().string();
  name = name.substr(0, name.find('.'));
  std::ranges::replace_if(
      name, [](char c) { return !is_name(std::string_view(&c, 1)); }, '_');
  return name.empty() ? "detector" : name;
}

/// Returns an error if a file cannot be loaded or executed.
std::optional<Diagnostic> check_file(const std::string& given, const std::string& path, int mode) {
  std::error_code error;
  if (!fs::exists(path, error)) return error_of(given, fmt::format("there is no file '{}'", path), "");
  if (fs::is_directory(path, error)) return error_of(given, fmt::format("'{}' is a folder", path), "");
  if (access(path.c_str(), mode) == 0) return std::nullopt;
  return mode == X_OK ? error_of(given, fmt::format("'{}' is not executable", path), "chmod +x " + path)
                      : error_of(given, fmt::format("cannot read '{}'", path), "");
}

/// Returns the words of a command. The first word becomes the path of the program.
Result<std::vector<std::string>> command_of(const std::string& given) {
  std::vector<std::string> words;
  std::istringstream in(given.substr(kExec.size()));
  for (std::string word; in >> word;) words.push_back(std::move(word));
  if (words.empty()) return error_of(given, "expected a program", "write exec:./PROGRAM");
  std::string& program = words.front();
  if (program.find('/') == std::string::npos) {
    const auto found = find_in_path(program);
    std::error_code error;
    if (!found) {
      return error_of(given, fmt::format("there is no program '{}' in the folders of PATH", program),
                      fs::exists(program, error) ? fmt::format("write {}./{}", kExec, program) : "");
    }
    program = *found;
  }
  if (auto wrong = check_file(given, program, X_OK)) return std::move(*wrong);
  return words;
}

}  // namespace

bool names_external_detector(std::string_view word) { return word.starts_with(kExec) || word.ends_with(kLibrary); }

std::string_view to_string(detector::Claims claims) {
  return std::ranges::find(kClaims, claims, &ClaimsWord::claims)->word;
}

std::optional<Diagnostic> ExternalDetector::set(const std::string& setting) {
  const std::size_t equals = setting.find('=');
  const std::string name = setting.substr(0, equals);
  const std::string value = setting.substr(equals + 1);
  if (name == "name") {
    if (!is_name(value)) {
      return error_of(setting, fmt::format("'{}' is not a name", value), "use letters, digits, '_' and '-'");
    }
    description_.name = value;
    return std::nullopt;
  }
  if (name == "form") {
    if (value != "text" && value != "binary") {
      return error_of(setting, fmt::format("unknown form '{}'", value), "forms: text, binary");
    }
    program_description_.form = value == "text" ? external::StreamForm::Text : external::StreamForm::Binary;
    return std::nullopt;
  }
  if (name == "claims") {
    const auto claims = std::ranges::find(kClaims, std::string_view(value), &ClaimsWord::word);
    if (claims == kClaims.end()) {
      return error_of(setting, fmt::format("unknown claim '{}'", value),
                      "claims: nothing, first-race, witnessed-races");
    }
    description_.claims = claims->claims;
    return std::nullopt;
  }
  if (name == "timeout") {
    std::string_view text = value;
    std::uint32_t seconds = 0;
    if (!take_number(text, seconds) || !text.empty() || seconds == 0) {
      return error_of(setting, fmt::format("'{}' is not a number of seconds above 0", value), "");
    }
    patience_.for_a_run = std::chrono::seconds(seconds);
    return std::nullopt;
  }
  return error_of(setting, fmt::format("unknown setting '{}'", name),
                  "settings: name, form, claims, timeout; -O NAME.OPTION=VALUE gives an option to the program");
}

Result<std::shared_ptr<ExternalDetector>> ExternalDetector::of_program(const std::vector<std::string>& parts,
                                                                       const ExternalRules& rules) {
  const auto made = std::make_shared<ExternalDetector>();
  const std::string& given = parts.front();
  if (given.starts_with(kExec)) {
    auto command = command_of(given);
    if (!command.ok()) return command.errors();
    made->program_description_.arguments = std::move(command).value();
    made->description_.name = name_of(made->program_description_.arguments.front());
  } else {
    if (auto wrong = check_file(given, given, R_OK)) return std::move(*wrong);
    made->program_description_.arguments = {rules.plugin_host, "plugin", fs::absolute(given).string()};
    made->program_description_.form = external::StreamForm::Binary;
    made->description_.name = name_of(given);
  }
  made->description_.source = given;
  made->words_ = fmt::format("{}", fmt::join(parts, ","));
  made->patience_ = {.for_a_run = rules.timeout, .interrupted = rules.interrupted};
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (auto wrong = made->set(parts[i])) return std::move(*wrong);
  }
  if (!given.starts_with(kExec) && made->program_description_.form != external::StreamForm::Binary) {
    return error_of(given, "form= does not apply to a plugin", "remove form=");
  }
  return made;
}

Result<std::shared_ptr<ExternalDetector>> ExternalDetector::of_results(const std::string& given,
                                                                       const std::atomic<bool>* interrupted) {
  const std::size_t equals = given.find('=');
  const bool has_name = equals != std::string::npos && is_name(std::string_view(given).substr(0, equals));
  const std::string path = has_name ? given.substr(equals + 1) : given;
  const auto source = read_results(path, interrupted);
  if (!source.ok()) return source.errors();
  auto answers = external::RecordedAnswers::read(source.value());
  if (!answers.ok()) return answers.errors();
  const auto made = std::make_shared<ExternalDetector>();
  made->answers_ = std::move(answers).value();
  made->description_.name = has_name                             ? given.substr(0, equals)
                            : made->answers_->detector().empty() ? name_of(path)
                                                                 : made->answers_->detector();
  made->description_.source = path;
  const auto claims = std::ranges::find(kClaims, std::string_view(made->answers_->claims()), &ClaimsWord::word);
  if (claims != kClaims.end()) made->description_.claims = claims->claims;
  return made;
}

void ExternalDetector::prepare(const detector::GivenOptions& options) {
  if (answers_) return;
  program_description_.options = options;
  program_ = std::make_unique<external::ExternalProgram>(program_description_, patience_);
}

std::unique_ptr<detector::Detector> ExternalDetector::make(const TraceTables& tables, const external::RunName& run) {
  return answers_ ? answers_->make(tables, run) : program_->make(tables, run);
}

void ExternalDetector::end_here() const {
  if (program_) program_->end_here();
}

std::uint64_t ExternalDetector::peak_memory() const { return program_ ? program_->peak_memory() : 0; }

std::chrono::nanoseconds ExternalDetector::waited_here() const {
  return program_ ? program_->waited_here() : std::chrono::nanoseconds(0);
}

}  // namespace ambit::api
