#include "api/study/generation.h"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <utility>

#include "api/files.h"
#include "model/verdict/races.h"
#include "model/verdict/verdict.h"
#include "parser/cat/load.h"
#include "parser/cat/model_store.h"
#include "parser/cat/resolve.h"
#include "parser/parse.h"
#include "synthesis/cycle.h"

namespace ambit::api {
namespace {

constexpr double kDay = 86'400;
constexpr double kStatesASecond = 5e6;  // states that the enumeration visits a second (docs/lab/performance.md)

/// Adds `expect` lines to a test's text.
class Expecting {
 public:
  Expecting(const CheckingOptions& checking, const std::atomic<bool>& interrupted)
      : checking_(checking), interrupted_(interrupted) {}

  std::optional<Diagnostics> load() {
    auto models = store_.load_all(checking_.models);
    if (!models.ok()) return models.errors();
    models_ = std::move(models).value();
    for (const std::string& reference : checking_.models) {
      const auto parsed = parser::parse_model_reference(reference);
      const auto rules = store_.load_reference(reference);
      if (parsed.ok() && rules.ok() && parser::cat::is_model_file(parsed.value().name)) {
        // An `expect` line can name a model file, but not the file's options.
        const bool has_options = !parsed.value().options.empty();
        files_.try_emplace(rules.value(), has_options ? "" : fmt::format("\"{}\"", parsed.value().name));
      }
    }
    return std::nullopt;
  }

  Result<std::string> complete(GeneratedTest test) {
    const auto source = std::make_shared<const SourceFile>(SourceFile{test.name, test.text});
    const auto program = parser::parse_program(source);
    if (!program.ok()) return program.errors();
    for (const parser::RulesPtr& rules : models_) {
      Context context;
      set_limits(context, checking_, interrupted_);
      verdict::CheckOptions options = engine_options(checking_);
      const bool has_condition = program.value()->condition.proposition.has_value();
      options.questions = {.proposition = has_condition, .incidents = false};
      const auto checked = checker_.check(program.value(), rules, options, context);
      if (!checked.ok()) return checked.errors();
      std::string items;
      if (has_condition && checked.value().frequency) items = to_string(*checked.value().frequency);
      if (verdict::speaks_of_races(*rules) && checked.value().race != events::Possibility::Unknown) {
        items += items.empty() ? "" : ", ";
        items += checked.value().race == events::Possibility::Possible ? "race" : "norace";
      }
      const auto file = files_.find(rules);
      const std::string name = file == files_.end() ? verdict::model_name(*rules) : file->second;
      if (!items.empty() && !name.empty()) test.text += fmt::format("expect {} : {}\n", name, items);
    }
    return test.text;
  }

 private:
  const CheckingOptions& checking_;
  const std::atomic<bool>& interrupted_;
  parser::ModelStore store_;
  std::map<parser::RulesPtr, std::string> files_;  ///< for a model file, its name in an `expect` line; may be empty
  std::vector<parser::RulesPtr> models_;
  verdict::Checker checker_;
};

Result<std::vector<GeneratedTest>> listed(const GenerationRequest& request) {
  using synthesis::litmus_text;
  if (!request.cycle.empty()) {
    const auto test = synthesis::read_cycle(request.cycle, request.access, "CYCLE");
    if (!test.ok()) return test.errors();
    const synthesis::CycleTest& made = test.value();
    return std::vector<GeneratedTest>{{made.name, litmus_text(made.skeleton, made.name, "", made.condition + "\n")}};
  }
  if (!request.name.empty()) {
    const auto skeleton = synthesis::skeleton_named(request.name);
    if (!skeleton) return path_error("--name", fmt::format("'{}' is not the name of a program", request.name));
    return std::vector<GeneratedTest>{{request.name, litmus_text(*skeleton, request.name, "", "")}};
  }
  const auto alphabet = synthesis::Alphabet::read(request.alphabet, "--alphabet");
  if (!alphabet.ok()) return alphabet.errors();
  std::vector<GeneratedTest> tests;
  for (std::uint64_t i = 0; i < request.random; ++i) {
    const auto skeleton = synthesis::random_program(request.bounds, alphabet.value(), request.seed + i);
    if (!skeleton) return path_error("--random", "no such program was found: allow more statements or cells");
    tests.push_back({name_of(*skeleton), litmus_text(*skeleton, name_of(*skeleton), "", "")});
  }
  return tests;
}

}  // namespace

std::optional<Shard> read_shard(const std::string& text) {
  Shard shard;
  const char* const end = text.data() + text.size();
  const auto [slash, wrong] = std::from_chars(text.data(), end, shard.index);
  if (wrong != std::errc() || slash == end || *slash != '/') return std::nullopt;
  const auto [last, wrong_too] = std::from_chars(slash + 1, end, shard.count);
  if (wrong_too != std::errc() || last != end || shard.index < 1 || shard.index > shard.count) return std::nullopt;
  --shard.index;
  return shard;
}

Result<std::uint64_t> generate_tests(const GenerationRequest& request, const std::atomic<bool>& interrupted,
                                     const std::function<bool(const GeneratedTest&)>& visit) {
  Expecting expecting(request.checking, interrupted);
  if (auto errors = expecting.load()) return *std::move(errors);
  std::uint64_t made = 0;
  std::optional<Diagnostics> errors;
  const auto hand_over = [&](GeneratedTest test) {
    auto text = expecting.complete(test);
    if (!text.ok()) {
      errors = text.errors();
      return false;
    }
    test.text = std::move(text).value();
    ++made;
    return visit(test) && !interrupted;
  };
  if (!request.cycle.empty() || !request.name.empty() || request.random > 0) {
    const auto tests = listed(request);
    if (!tests.ok()) return tests.errors();
    for (const GeneratedTest& test : tests.value()) {
      if (!hand_over(test)) break;
    }
  } else {
    const auto alphabet = synthesis::Alphabet::read(request.alphabet, "--alphabet");
    if (!alphabet.ok()) return alphabet.errors();
    std::uint64_t number = 0;
    synthesis::for_each_program(request.bounds, alphabet.value(), [&](const synthesis::Skeleton& skeleton) {
      if (!request.shard.holds(number++)) return !interrupted.load();
      const std::string name = name_of(skeleton);
      return hand_over({name, litmus_text(skeleton, name, "", "")});
    });
  }
  if (errors) return *std::move(errors);
  return made;
}

Result<std::uint64_t> count_programs(const GenerationRequest& request, const std::atomic<bool>& interrupted) {
  const auto alphabet = synthesis::Alphabet::read(request.alphabet, "--alphabet");
  if (!alphabet.ok()) return alphabet.errors();
  std::uint64_t number = 0;
  std::uint64_t count = 0;
  synthesis::for_each_program(request.bounds, alphabet.value(), [&](const synthesis::Skeleton&) {
    count += request.shard.holds(number++) ? 1 : 0;
    return !interrupted.load(std::memory_order_relaxed);
  });
  return count;
}

Result<double> estimated_seconds(const synthesis::Bounds& bounds, const std::string& alphabet, double seconds_each) {
  const auto read = synthesis::Alphabet::read(alphabet, "--alphabet");
  if (!read.ok()) return read.errors();
  constexpr double kProgramsPerState = 0.15;  // a cautious estimate; measured values range from 0.02 to 0.15
  return synthesis::estimated_states(bounds, read.value()) * (1 / kStatesASecond + kProgramsPerState * seconds_each);
}

std::optional<std::string> takes_over_a_day(double seconds) {
  if (seconds < kDay) return std::nullopt;
  return fmt::format("about {:.2g} days", seconds / kDay);
}

}  // namespace ambit::api
