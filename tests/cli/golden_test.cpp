#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/golden.h"

/// Runs the program as a user does. Each folder in tests/cli/cases has `command` (a line for the shell, which runs in
/// that folder) and the goldens `stdout`, `stderr` and `status`. If `stderr` is missing, the program must print no
/// errors; if `status` is missing, the exit status must be 0.
namespace ambit::test {
namespace {

namespace fs = std::filesystem;

fs::path cases() { return project() / "tests/cli/cases"; }

struct ProgramRun {
  std::string out;
  std::string err;
  int status = -1;
};

ProgramRun run_case(const fs::path& folder) {
  const std::string unique = folder.filename().string() + "." + std::to_string(getpid());
  const fs::path out = fs::temp_directory_path() / ("ambit-cli-" + unique + ".out");
  const fs::path err = fs::temp_directory_path() / ("ambit-cli-" + unique + ".err");
  const std::string programs = fs::path(AMBIT_PROGRAM).parent_path().string();
  const std::string command = "cd '" + folder.string() + "' && unset NO_COLOR && PATH='" + programs +
                              "':\"$PATH\" sh ./command >'" + out.string() + "' 2>'" + err.string() + "' </dev/null";
  const int status = std::system(command.c_str());  // NOLINT(cert-env33-c): the test needs a shell
  ProgramRun result{contents(out), contents(err), WIFEXITED(status) ? WEXITSTATUS(status) : -1};
  fs::remove(out);
  fs::remove(err);
  return result;
}

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(cases())) {
    if (fs::exists(entry.path() / "command")) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class CommandLine : public testing::TestWithParam<std::string> {};

TEST_P(CommandLine, MatchesItsGoldens) {
  const fs::path folder = cases() / GetParam();
  const ProgramRun run = run_case(folder);
  expect_golden(folder / "stdout", run.out);
  expect_golden(folder / "stderr", run.err);
  expect_golden(folder / "status", std::to_string(run.status) + "\n", "0\n");
}

INSTANTIATE_TEST_SUITE_P(Cases, CommandLine, testing::ValuesIn(case_names()),
                         [](const testing::TestParamInfo<std::string>& info) { return case_name(info.param); });

}  // namespace
}  // namespace ambit::test
