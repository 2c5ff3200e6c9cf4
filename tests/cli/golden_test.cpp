#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

/// The program as a user runs it. Each folder in tests/cli/cases holds `command` (a line for the shell, run in that
/// folder), and what must come of it: `stdout`, `stderr` (absent: nothing) and `status` (absent: 0). With
/// AMBIT_WRITE_GOLDENS=1 in the environment the three are written instead of compared; review the difference by hand.
namespace {

namespace fs = std::filesystem;

fs::path cases() { return fs::path(AMBIT_SOURCE_DIR) / "tests/cli/cases"; }

std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Writes `text`, or removes the file where there is nothing to say.
void write_golden(const fs::path& file, const std::string& text, const std::string& nothing) {
  fs::remove(file);
  if (text != nothing) std::ofstream(file, std::ios::binary) << text;
}

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
  const int status = std::system(command.c_str());  // NOLINT(cert-env33-c): the shell is what we want
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

TEST_P(CommandLine, DoesWhatItsGoldensSay) {
  const fs::path folder = cases() / GetParam();
  const ProgramRun run = run_case(folder);
  if (std::getenv("AMBIT_WRITE_GOLDENS") != nullptr) {
    write_golden(folder / "stdout", run.out, "");
    write_golden(folder / "stderr", run.err, "");
    write_golden(folder / "status", std::to_string(run.status) + "\n", "0\n");
    GTEST_SKIP() << "wrote the goldens of " << GetParam();
  }
  const std::string status = fs::exists(folder / "status") ? contents(folder / "status") : "0\n";
  EXPECT_EQ(std::to_string(run.status) + "\n", status);
  EXPECT_EQ(run.out, contents(folder / "stdout"));
  EXPECT_EQ(run.err, contents(folder / "stderr"));
}

INSTANTIATE_TEST_SUITE_P(Cases, CommandLine, testing::ValuesIn(case_names()),
                         [](const testing::TestParamInfo<std::string>& info) {
                           std::string name = info.param;
                           std::replace_if(
                               name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
                           return name;
                         });

}  // namespace
