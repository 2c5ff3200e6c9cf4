// Runs `ambit exec` as a user does.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "tests/support/files.h"

namespace ambit::test {

namespace fs = std::filesystem;
using nlohmann::json;

struct Ran {
  std::string out;
  std::string err;
  int status = -1;
  int signal = 0;
};

class Exec : public testing::Test {
 protected:
  Exec() : folder_(fs::temp_directory_path() / ("ambit-exec-test-" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~Exec() override { fs::remove_all(folder_); }

  Ran shell(const std::string& command) const {
    const std::string out = (folder_ / "out").string();
    const std::string err = (folder_ / "err").string();
    const std::string whole = "cd '" + (project() / "tests/exec").string() + "' && exec " + command + " >'" + out +
                              "' 2>'" + err + "' </dev/null";
    const int status = std::system(whole.c_str());  // NOLINT(cert-env33-c): the shell is what we want
    Ran ran{contents(out), contents(err), -1, 0};
    if (WIFEXITED(status)) ran.status = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) ran.signal = WTERMSIG(status);
    return ran;
  }
  Ran exec(const std::string& arguments) const { return shell(std::string(AMBIT_PROGRAM) + " exec " + arguments); }
  static std::string program() { return EXEC_PROGRAM; }
  json report(const std::string& arguments) const {
    const Ran ran = exec("--json " + arguments);
    const json made = json::parse(ran.out, nullptr, false);
    EXPECT_TRUE(made.is_object()) << ran.out << ran.err;
    return made.is_object() ? made : json::object();
  }

  fs::path folder_;
};

/// Returns the detectors that report a race in a report of `exec` or `detect`.
inline std::set<std::string> reporting(const json& races) {
  std::set<std::string> names;
  for (const json& race : races) names.insert(race.at("detector").get<std::string>());
  return names;
}

}  // namespace ambit::test
