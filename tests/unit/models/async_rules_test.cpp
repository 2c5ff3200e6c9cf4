#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "model/rules/shipped.h"
#include "model/verdict/verdict.h"
#include "tests/support/parsed.h"

// Each rule of model/cat/ptx.cat about asynchronous operations and mbarriers is necessary: without the rule, the
// verdict of some test in litmus/async changes. Some option values represent other interpretations of the PTX document.
// Each of these values changes some verdict, too.
namespace ambit {
namespace {

using RulesPtr = std::shared_ptr<const rules::Rules>;
using Options = std::map<std::string, std::string>;

/// A test, and the model options of one of the test's expectations.
struct CorpusQuery {
  std::string file;
  std::shared_ptr<const Program> program;
  Options options;
};

/// Returns frequency, flags and incidents of a verdict as one line of text.
std::string verdict_text(const std::shared_ptr<const Program>& program, const RulesPtr& rules,
                         verdict::Engine engine = verdict::Engine::Auto) {
  verdict::Checker checker;
  Context context;
  verdict::CheckOptions options;
  options.engine = engine;
  const auto verdict = checker.check(program, rules, options, context);
  if (!verdict.ok()) return render(verdict.errors());
  const verdict::Verdict& found = verdict.value();
  std::string text = found.frequency ? std::string(to_string(*found.frequency)) : "?";
  for (std::size_t i = 0; i < found.rules->flags.size(); ++i) {
    if (found.answers.flags.at(i).possibility == events::Possibility::Possible)
      text += " " + found.rules->flags[i].name;
  }
  for (const events::Witnessed& incident : found.answers.incidents) {
    if (incident.possibility == events::Possibility::Possible) text += " incident";
  }
  if (found.unknown) text += " unknown";
  return text;
}

RulesPtr shipped(const Options& options) {
  static std::map<Options, RulesPtr> loaded;
  RulesPtr& known = loaded[options];
  if (known == nullptr) {
    auto rules = parser::load_model("ptx", options);
    EXPECT_TRUE(rules.ok());
    known = rules.value();
  }
  return known;
}

/// Returns the shipped model's verdict on a test. Computes the verdict only when a caller needs it: each rule has its
/// own process, which ends at the first test that needs the rule.
std::string shipped_verdict(const CorpusQuery& queried) {
  return verdict_text(queried.program, shipped(queried.options));
}

const std::vector<CorpusQuery>& corpus() {
  static const std::vector<CorpusQuery> kCorpus = [] {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(test::project() / "litmus/async")) {
      if (entry.path().extension() == ".litmus") files.push_back(entry.path());
    }
    std::ranges::sort(files);
    std::vector<CorpusQuery> corpus;
    for (const std::filesystem::path& file : files) {
      const auto program = test::program_in(file);
      for (const Expectation& expectation : program->expectations) {
        corpus.push_back({file.filename().string(), program, expectation.options});
      }
    }
    return corpus;
  }();
  return kCorpus;
}

/// Returns the text of ptx.cat with ptx-causality.cat included.
std::string whole_model() {
  std::string text;
  std::string causality;
  for (const rules::ShippedFile& file : rules::shipped_files()) {
    if (file.name == "ptx.cat") text = file.text;
    if (file.name == "ptx-causality.cat") causality = file.text;
  }
  const std::string include = "include \"ptx-causality.cat\"\n";
  return text.replace(text.find(include), include.size(), causality);
}

/// Returns the first test with another verdict under a model with this text; empty if no test has another verdict.
std::string first_difference(const std::string& text) {
  std::map<Options, RulesPtr> loaded;
  for (const CorpusQuery& queried : corpus()) {
    RulesPtr& rules = loaded[queried.options];
    if (rules == nullptr) {
      const auto source = std::make_shared<const SourceFile>(SourceFile{"<changed>", text});
      auto changed = parser::parse_model(source, queried.options);
      if (!changed.ok()) {
        ADD_FAILURE() << render(changed.errors());
        return "broken";
      }
      rules = changed.value();
    }
    if (verdict_text(queried.program, rules) != shipped_verdict(queried)) return queried.file;
  }
  return {};
}

struct Change {
  std::string rule;
  std::string from;
  std::string to;
};

std::ostream& operator<<(std::ostream& out, const Change& change) { return out << change.rule; }

class AsyncRules : public testing::TestWithParam<Change> {};

TEST_P(AsyncRules, NeedsThisRule) {
  std::string text = whole_model();
  const std::size_t at = text.find(GetParam().from);
  ASSERT_NE(at, std::string::npos) << "the model has no such text: " << GetParam().from;
  text.replace(at, GetParam().from.size(), GetParam().to);
  EXPECT_NE(first_difference(text), "") << "no verdict changes without this rule";
}

INSTANTIATE_TEST_SUITE_P(
    Removed, AsyncRules,
    testing::Values(
        Change{"operations are in no program order", "int \\ (ASYNC * _ | _ * ASYNC)", "int"},
        Change{"agent of a completion", "if async-agent = object then [CTA]; mbar-cta^-1 else 0", "0"},
        Change{"end of a phase", "if mbarrier-chain = phase then mbar-phase else 0", "0"},
        Change{"mbarrier_init", "let before = thread-causality | published |", "let before = thread-causality |"},
        Change{"mbarrier_init publishes initialisations only", "let published = [MBAR \\ A]; po", "let published = po"},
        Change{"instructions come before what follows them", "let starts = before?; issue", "let starts = issue"},
        Change{"groups", "let completes = grp | grid-end | completion", "let completes = grid-end | completion"},
        Change{"end of the grid", "let completes = grp | grid-end |", "let completes = grp |"},
        Change{"visible to the next grid", "| [ASYNC & ASY]; grid-end; thread-causality?; issue; [ASYNC & ASY]", ""},
        Change{"relaxed arrival after a restricted fence", "(acquire-pattern | restricted-acquire) | relaxed-arrival",
               "(acquire-pattern | restricted-acquire)"},
        Change{"relaxed arrival after a one-directional fence", "[strong-read] | relaxed-arrival); po; [APFENCE]",
               "[strong-read]); po; [APFENCE]"},
        Change{"pipelines of tcgen05", "(issue^-1; po; issue | held; execution; follows) & pipe |", ""},
        Change{"fence before a wait is passed on", "held = [TC]; issue^-1; po; [TB] | commits", "held = commits"},
        Change{"wait of the thread's own tcgen05 operations", "| grp; po; issue\n", "\n"},
        Change{"tcgen05 fence after an operation", "let done = [TC]; grp; po; [TB] |", "let done = [TC]; grp; po |"},
        Change{"tcgen05 fence before an operation", "let follows = [TA]; po; issue", "let follows = po?; issue"},
        Change{"an mbarrier may end once its operations are seen", "rmw?; base-causality | performed",
               "base-causality"},
        Change{"the end of an mbarrier is no race", "let never-races = performed | performed^-1",
               "let never-races = 0"},
        Change{"an operation outlives its CTA", "flag ~empty unwatched as pending-exit-misuse", ""},
        Change{"completion of the own operation", "(inop | trk);", "trk;"},
        Change{"completion of tracked operations", "(inop | trk);", "inop;"},
        Change{"completion is handed on", "let ends = completes; thread-causality? |", "let ends = completes |"},
        Change{"completion hands on its own operation only", "before | starts | ends | ends; issue",
               "(before | starts | completes)+"},
        Change{"operation before instructions", "before | starts | ends | ends; issue",
               "before | starts | ends; issue"},
        Change{"operation before operation", "before | starts | ends | ends; issue", "before | starts | ends"},
        Change{"state space of the fence", "((before; issue) & in-space)", "(before; issue)"},
        Change{"proxy fence", "[M & (GEN | ASY)]; fenced\n                 | ", ""},
        Change{"one-directional proxy fences", "                 | directed\n", ""},
        Change{"state space of a one-directional fence", " & in-space^-1); [RPFENCE & ASY]", "); [RPFENCE & ASY]"},
        Change{"acquiring half", "(thread-causality | paired); [APFENCE & ASY]; po else", "thread-causality else"},
        Change{"releasing half", "let directed = before-release;", "let directed = [M & GEN];"},
        Change{"one-directional proxy fences synchronise", "(thread-causality | paired); [APFENCE & ASY]",
               "thread-causality; [APFENCE & ASY]"},
        Change{"fences for shared memory", "| [M \\ ASYNC]; restricted", ""},
        Change{"completion acquired for shared memory", "| [ASYNC]; restricted", ""},
        Change{"release for shared memory",
               "               | ((begin; [SFENCE & REL]) & in-space^-1); once-more*; out-of-shared; go\n", ""},
        Change{"acquire for shared memory", "((begin; [SFENCE & ACQ]) & in-space^-1); go", "0"},
        Change{"what a release for shared memory concerns", "((begin; [SFENCE & REL]) & in-space^-1); once",
               "(begin; [SFENCE & REL]); once"},
        Change{"what an acquire for shared memory concerns", "((begin; [SFENCE & ACQ]) & in-space^-1); go",
               "(begin; [SFENCE & ACQ]); go"},
        Change{"releases for shared memory one after the other", "once-more*; ", ""},
        Change{"they are of one block", "(out-of-shared; go; [SFENCE & REL]) & same-cta",
               "out-of-shared; go; [SFENCE & REL]"},
        Change{"tensor maps", "                 | described\n", ""},
        Change{"tensor map that is released", "before; [RPFENCE & TMAP]; ((thread-causality | paired) & mutual)",
               "before"},
        Change{"tensor map that is acquired", "((po; issue) & in-space); [ASYNC & TMAP]",
               "(po; issue); [ASYNC & TMAP]"},
        Change{"scope of tensor map fences", "((thread-causality | paired) & mutual); acquired",
               "(thread-causality | paired); acquired"},
        Change{"tensor map fences synchronise", "((thread-causality | paired) & mutual); acquired",
               "(thread-causality & mutual); acquired"},
        Change{"completion frees the tensor map", "| [ASYNC & TMAP]; ends; [M & GEN]", ""},
        Change{"arrival ahead of a phase", "flag ~empty [LATER] \\ (watched^-1; watched) as mbarrier-ahead-misuse", ""},
        Change{"wait before the arrival", "let watched = mbar-seen & fr", "let watched = mbar-seen"},
        Change{"completion is a proxy fence", "| [ASYNC & ASY]; ends; [M & GEN]", ""},
        Change{"one async proxy", "| [ASYNC & ASY]; ((ends; issue) & one-domain); [ASYNC & ASY]", ""},
        Change{"domain of the async proxy", "((ends; issue) & one-domain)", "(ends; issue)"},
        Change{"operations on an mbarrier are one step", "((MBAR & A) * (MBAR & A)) & vloc \\ id", "0"},
        Change{"initialisation comes first", "flag ~empty unordered-init as mbarrier-init-race", ""},
        Change{"access before completion", "if incomplete-copy = undefined then early else 0", "0"},
        Change{"a fence beside the access serves synchronous accesses", "(same-proxy & same-cta); [M \\ ASYNC]",
               "(same-proxy & same-cta); [M]"},
        Change{"proxies preserve the order of operations", "| asynchronous & vloc", ""}));

class OpenReadings : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(OpenReadings, ChangesAVerdict) {
  const auto [option, value] = GetParam();
  const RulesPtr rules = shipped({{option, value}});
  EXPECT_TRUE(std::ranges::any_of(corpus(), [&](const CorpusQuery& queried) {
    return queried.options.empty() && verdict_text(queried.program, rules) != shipped_verdict(queried);
  }));
}

INSTANTIATE_TEST_SUITE_P(Values, OpenReadings,
                         testing::Values(std::pair("async-fence", "writer"), std::pair("async-fence", "issuer"),
                                         std::pair("async-domain", "cta"), std::pair("async-agent", "issuer"),
                                         std::pair("mbarrier-chain", "links"), std::pair("incomplete-copy", "race"),
                                         std::pair("one-way-fence", "release"), std::pair("tcgen05-issue", "acquire")));

TEST(AsyncEngines, Agree) {
  for (const CorpusQuery& queried : corpus()) {
    const RulesPtr rules = shipped(queried.options);
    EXPECT_EQ(verdict_text(queried.program, rules, verdict::Engine::Smt),
              verdict_text(queried.program, rules, verdict::Engine::Explicit))
        << queried.file;
  }
}

/// A model answers Unknown if it has no rules for asynchronous operations.
TEST(AsyncModels, OthersAnswerUnknown) {
  const auto program = test::program_in("litmus/async/19-Fuser-3136+control.litmus");
  for (const char* model : {"ptx-9.0", "sc", "cuda-cpp"}) {
    EXPECT_NE(verdict_text(program, test::shipped_model(model)).find("unknown"), std::string::npos) << model;
  }
}

}  // namespace
}  // namespace ambit
