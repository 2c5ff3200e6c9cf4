#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "detector/algorithms/registry.h"
#include "detector/detector.h"
#include "tests/support/files.h"
#include "tests/support/replay.h"
#include "trace/open_trace.h"
#include "trace/text_trace.h"

// The folder docs/detectors has traces in files and in pages. Comments in these traces claim the detectors' reports:
//   # barracuda reports k.cu:3 k.cu:10, k.cu:4 k.cu:8
//   # gwcp overlap=either reports nothing
// The tests replay each trace and check the claims in its comments. The claims were derived from the definitions.
namespace ambit::detector {
namespace {

const std::filesystem::path kFolder = test::project() / "docs/detectors";

struct Claim {
  std::string detector;
  std::map<std::string, std::string> options;
  std::set<std::string> races;  ///< "k.cu:3 k.cu:10"
};

std::vector<Claim> claims_of(const std::string& trace) {
  std::vector<Claim> claims;
  std::istringstream lines(trace);
  for (std::string line; std::getline(lines, line);) {
    const auto at = line.find(" reports ");
    if (!line.starts_with("# ") || at == std::string::npos) continue;
    Claim claim;
    std::istringstream words(line.substr(2, at - 2));
    words >> claim.detector;
    const auto& known = detectors();
    if (std::ranges::find(known, claim.detector, &DetectorDescription::name) == known.end()) continue;  // prose
    for (std::string word; words >> word;) {
      const auto equals = word.find('=');
      claim.options[word.substr(0, equals)] = word.substr(equals + 1);
    }
    std::istringstream races(line.substr(at + 9));
    for (std::string race; std::getline(races, race, ',');) {
      race.erase(0, race.find_first_not_of(' '));
      if (race != "nothing") claim.races.insert(race);
    }
    claims.push_back(claim);
  }
  return claims;
}

std::set<std::string> races_of(const std::string& text, const Claim& claim) {
  trace::TextTraceReader reader(std::make_unique<std::istringstream>(text), "page");
  const auto detector = test::shown(reader, claim.detector, claim.options);
  std::set<std::string> races;
  for (const RaceReport& race : detector->races()) {
    const auto& sites = reader.tables().sites();
    races.insert(sites[race.first.site] + " " + sites[race.second.site]);
  }
  return races;
}

/// Checks all claims about a trace. Returns their number.
std::size_t check(const std::string& trace, const std::string& where) {
  const std::vector<Claim> claims = claims_of(trace);
  for (const Claim& claim : claims) {
    EXPECT_EQ(races_of(trace, claim), claim.races) << claim.detector << " on the trace of " << where << "\n" << trace;
  }
  return claims.size();
}

TEST(DetectorPages, TraceFilesSayWhatIsReported) {
  std::size_t count = 0;
  for (const auto& path : test::files_in(kFolder / "traces", {".trace"})) {
    EXPECT_GE(check(test::contents(path), path.filename()), 2U) << path << " has too few claims";
    ++count;
  }
  EXPECT_GE(count, 3U);
}

TEST(DetectorPages, TracesInThePagesSayWhatIsReported) {
  std::size_t claims = 0;
  for (const auto& path : test::files_in(kFolder, {".md"})) {
    const std::string page = test::contents(path);
    const std::string begin = "```\nambit-trace 1\n";
    for (std::size_t at = page.find(begin); at != std::string::npos; at = page.find(begin, at + 1)) {
      const std::size_t from = at + 4;
      claims += check(page.substr(from, page.find("```", from) - from), path.filename());
    }
  }
  EXPECT_GE(claims, 8U);
}

// The teaching page contains copies of three trace files. Each copy must equal its file.
TEST(DetectorPages, TheTeachingPagePrintsItsTraces) {
  const std::string page = test::contents(kFolder / "teaching.md");
  for (const auto& path : test::files_in(kFolder / "traces", {".trace"})) {
    EXPECT_NE(page.find(test::contents(path)), std::string::npos) << path << " differs from the copy in the page";
  }
}

TEST(DetectorPages, TheExampleOfTheFormatsPageIsRead) {
  const std::string page = test::contents(test::project() / "docs/reference/traces.md");
  const std::size_t from = page.find("```\nambit-trace 1\n") + 4;
  // The trace's last read sees the value without synchronisation, because the second block never runs a fence.
  const Claim claim{"barracuda", {{"polling", "no"}}, {"kernel.cu:18 kernel.cu:26"}};
  EXPECT_EQ(races_of(page.substr(from, page.find("```", from) - from), claim), claim.races);
}

}  // namespace
}  // namespace ambit::detector
