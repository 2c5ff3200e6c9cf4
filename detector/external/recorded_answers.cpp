#include "detector/external/recorded_answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <variant>

#include "base/plural.h"
#include "detector/external/answered_run.h"

namespace ambit::external {

/// Stores the recorded answers about one run and checks them against the run's events.
class RecordedDetector : public detector::Detector {
 public:
  RecordedDetector(const RecordedAnswers& answers, const TraceTables& tables, RunName run)
      : answers_(answers), run_(std::move(run)), answered_(tables) {}

  detector::SyncInference::Depth depth() const override { return detector::SyncInference::Depth::Sections; }
  bool looks_at_actions() const override { return false; }
  void on(const detector::Observation& observation) override { answered_.add(observation.event); }
  void finish(std::span<const detector::Action> /*rest*/, const detector::SyncInference& /*inference*/) override {
    const auto found = answers_.runs_.find({run_.test, run_.number});
    if (found == answers_.runs_.end()) {
      failure_ = fmt::format("run {}: {} has no answer for it", run_.number, answers_.file_);
      return;
    }
    const RecordedAnswers::Run& run = found->second;
    if (run.end.events && *run.end.events != answered_.events()) {
      return fail(run, fmt::format("the answer is about {}, but the run has {}: other runs were exported",
                                   plural(*run.end.events, "event"), answered_.events()));
    }
    for (const Answer& answer : run.answers) {
      const std::string wrong = std::visit([this](const auto& one) { return this->take(one); }, answer);
      if (!wrong.empty()) return fail(run, wrong);
    }
  }
  /// Returns no races after a failure, because answers before the failure may also be wrong.
  std::vector<RaceReport> races() const override { return failure_ ? std::vector<RaceReport>() : answered_.races(); }
  std::vector<std::string> own_remarks() const override { return answered_.remarks(); }
  bool is_unfinished() const override { return answered_.is_open() || failure_; }
  std::optional<std::string> failure() const override { return failure_; }

 private:
  template <typename Finding>
  std::string take(const Finding& finding) {
    return answered_.take(finding);
  }
  static std::string take(const EndOfRun& /*end*/) { return {}; }

  void fail(const RecordedAnswers::Run& run, const std::string& why) {
    failure_ = fmt::format("run {}: {}:{}: {}", run_.number, answers_.file_, run.line, why);
  }

  const RecordedAnswers& answers_;
  RunName run_;
  AnsweredRun answered_;
  std::optional<std::string> failure_;
};

bool RecordedAnswers::take_title(std::string_view line) {
  const auto json = nlohmann::json::parse(line, nullptr, false);
  if (!json.is_object() || !json.contains("results")) return false;
  const auto text = [&](const char* name) {
    const auto field = json.find(name);
    return field != json.end() && field->is_string() ? field->get<std::string>() : std::string();
  };
  detector_ = text("detector");
  claims_ = text("claims");
  return true;
}

Result<std::unique_ptr<RecordedAnswers>> RecordedAnswers::read(const SourceFilePtr& file) {
  auto recorded = std::make_unique<RecordedAnswers>();
  recorded->file_ = file->path;
  std::uint32_t number = 0;
  const auto error = [&](std::string message) {
    return Diagnostic{file, {number, 1, 1}, std::move(message), "docs/detectors/protocol.md describes the answers"};
  };
  std::vector<Answer> answers;
  std::string_view rest = file->text;
  while (!rest.empty()) {
    ++number;
    const std::size_t size = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, size);
    rest.remove_prefix(std::min(size + 1, rest.size()));
    if (number == 1 && recorded->take_title(line)) continue;
    auto answer = read_answer(line);
    if (auto* wrong = std::get_if<std::string>(&answer)) return error(std::move(*wrong));
    answers.push_back(std::get<Answer>(std::move(answer)));
    const auto* end = std::get_if<EndOfRun>(&answers.back());
    if (end == nullptr) continue;
    if (!end->test) return error(R"(expected the name of the test: {"end": 0, "test": "NAME"})");
    const EndOfRun copy = *end;
    answers.pop_back();
    const bool is_new =
        recorded->runs_.try_emplace({*copy.test, copy.run}, Run{std::move(answers), copy, number}).second;
    if (!is_new) return error(fmt::format("a second answer about run {} of test {}", copy.run, *copy.test));
    answers.clear();
  }
  if (!answers.empty()) return error("expected the end of the run: {\"end\": ...}, found the end of the file");
  return recorded;
}

std::unique_ptr<detector::Detector> RecordedAnswers::make(const TraceTables& tables, const RunName& run) const {
  return std::make_unique<RecordedDetector>(*this, tables, run);
}

std::string title_line(std::string_view detector, std::string_view claims) {
  nlohmann::ordered_json json;
  json["results"] = kProtocol;
  json["detector"] = detector;
  json["claims"] = claims;
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace ambit::external
