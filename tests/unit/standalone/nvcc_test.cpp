#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "core/asynchronous.h"
#include "tests/support/files.h"
#include "tests/support/golden.h"
#include "tests/unit/standalone/emitted.h"

/// Tests that nvcc compiles the programs that Ambit emits. The tests are skipped if nvcc is not installed. If
/// AMBIT_COMPILE_ALL is set, they compile the programs of the whole corpus.
namespace ambit::standalone {
namespace {

namespace fs = std::filesystem;

// NOLINTNEXTLINE(cert-env33-c): the test needs a shell
int shell(const std::string& command) { return std::system(command.c_str()); }

std::vector<fs::path> tests_to_compile() {
  const fs::path litmus = test::project() / "litmus";
  if (std::getenv("AMBIT_COMPILE_ALL") != nullptr) return test::files_in(litmus);
  return {litmus / "scor/race_interblock_fence_rtraw.litmus",  // Threads.
          litmus / "scor/race_interblock_blklock_waw.litmus",  // A kernel of a litmus test.
          litmus / "cuda/barrier_cooperative_grid.cu", litmus / "language/shared-memory-per-block.litmus",
          litmus / "language/atomic-operations.litmus"};
}

TEST(Nvcc, CompilesThePrograms) {
  if (shell("command -v nvcc >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no nvcc";
  const fs::path folder = fs::temp_directory_path() / ("ambit-nvcc-" + std::to_string(getpid()));
  fs::create_directories(folder);
  std::size_t written = 0;
  for (const fs::path& file : tests_to_compile()) {
    const auto source = parser::read_source(file.string());
    const auto programs = parser::parse_programs(source.value());
    ASSERT_TRUE(programs.ok()) << file;
    if (programs.value().size() != 1 || is_asynchronous(*programs.value().front())) continue;
    const auto text = emitted(source.value(), *programs.value().front());
    if (!text.ok()) continue;
    std::ofstream(folder / (test::case_name(fs::relative(file, test::project()).string()) + ".cu")) << text.value();
    ++written;
  }
  EXPECT_GE(written, 5U);
  const std::string compile = "nvcc -std=c++17 -arch=sm_90 -Werror all-warnings -diag-suppress 177 -c -o {}.o {} 2>&1";
  const int status = shell("cd '" + folder.string() + "' && ls *.cu | xargs -P \"$(nproc)\" -I{} " + compile);
  EXPECT_EQ(status, 0);
  fs::remove_all(folder);
}

/// Returns the architecture that the title of the program names.
std::string architecture_of(const std::string& program) {
  const std::string specific = "-gencode arch=compute_90a,code=sm_90a";
  return program.find("// nvcc -std=c++17 " + specific) != std::string::npos ? specific : "-arch=sm_90";
}

/// Compiles programs that Ambit emits from PTX files, and from sources with asynchronous operations. Compiles six
/// programs. If AMBIT_COMPILE_ALL is set, compiles the whole folder, and the unmodified sources. The options suppress
/// nvcc's warnings about unused variables and about the constructor of cuda::barrier. For PTX files, the assembler must
/// not insert waits between products.
TEST(Nvcc, CompilesAsynchronousSources) {
  if (shell("command -v nvcc >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no nvcc";
  const fs::path folder = test::project() / "litmus/async/cuda";
  const bool is_all = std::getenv("AMBIT_COMPILE_ALL") != nullptr;
  std::vector<fs::path> files = {folder / "45-ptx-tensor-load+wait.cu", folder / "17-triton-3106+wait.cu",
                                 folder / "pipeline-roles.cu",          folder / "../pipeline/2x3.litmus",
                                 folder / "../kernels/gemm-2x3.litmus", folder / "../kernels/multicast.litmus"};
  if (is_all) files = test::files_in(folder.parent_path(), {".cu", ".litmus"});
  const fs::path made = fs::temp_directory_path() / ("ambit-nvcc-program-" + std::to_string(getpid()) + ".cu");
  const fs::path log = fs::path(made).replace_extension(".log");
  for (const fs::path& file : files) {
    const auto source = parser::read_source(file.string());
    const auto program = parser::parse_program(source.value());
    ASSERT_TRUE(program.ok()) << render(program.errors());
    const auto text = emitted(source.value(), *program.value());
    if (!text.ok() && file.extension() == ".litmus") continue;
    ASSERT_TRUE(text.ok()) << render(text.errors());
    std::ofstream(made) << text.value();
    for (const fs::path& one : {file, made}) {
      if (one == file && (!is_all || file.extension() == ".litmus")) continue;
      const std::string command = "nvcc -std=c++17 " + architecture_of(text.value()) +
                                  " -Werror all-warnings -diag-suppress 177,550,20054 -c -o /dev/null -Xptxas -v '" +
                                  one.string() + "' > '" + log.string() + "' 2>&1";
      EXPECT_EQ(shell(command), 0) << file << " " << one << "\n" << test::contents(log);
      if (file.extension() != ".litmus") continue;
      EXPECT_EQ(test::contents(log).find("are serialized"), std::string::npos) << file;
    }
  }
  fs::remove(made);
  fs::remove(log);
}

/// The applications in kernels/apps compile without a warning. The test compiles every fourth application. If
/// AMBIT_COMPILE_ALL is set, it compiles every application, with and without each race macro. Another test compiles all
/// applications, because it compares the stored PTX with nvcc's output.
TEST(Nvcc, CompilesTheApplications) {
  if (shell("command -v nvcc >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no nvcc";
  const std::regex used(R"((?:ifdef|ifndef|defined\()\s*(RACE_[A-Z_]+))");
  const auto compile = [](const fs::path& file, const std::string& option) {
    EXPECT_EQ(shell("nvcc -std=c++17 -arch=sm_90 -Werror all-warnings -c -o /dev/null " + option + " '" +
                    file.string() + "'"),
              0)
        << file << " " << option;
  };
  std::size_t applications = 0;
  for (const fs::path& file : test::files_in(test::project() / "kernels/apps", {".cu"})) {
    if (applications++ % 4 == 0 || std::getenv("AMBIT_COMPILE_ALL") != nullptr) compile(file, "");
    if (std::getenv("AMBIT_COMPILE_ALL") == nullptr) continue;
    const std::string text = test::contents(file);
    for (auto at = std::sregex_iterator(text.begin(), text.end(), used); at != std::sregex_iterator(); ++at) {
      compile(file, "-D" + (*at)[1].str());
    }
  }
  EXPECT_EQ(applications, 7U);
}

}  // namespace
}  // namespace ambit::standalone
