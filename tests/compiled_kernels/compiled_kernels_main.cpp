// ambit_compiled_kernels: compares compiled random kernels with their sources and with runs on the virtual GPU.
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/compiled_kernels/kernel_comparison.h"
#include "tests/support/tool_options.h"

namespace {

using namespace ambit::compiled_kernels;

std::string contents(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// Returns the PTX of a source; empty if the compiler fails.
std::string compiled(const std::string& compiler, const std::string& source, std::uint64_t seed) {
  const std::filesystem::path base =
      std::filesystem::temp_directory_path() / fmt::format("ambit-kernels-{}-{}", seed, std::rand());
  std::ofstream(base.string() + ".cu") << source;
  const std::string command =
      fmt::format("{} -ptx -lineinfo -arch=sm_90 -w -o {}.ptx {}.cu", compiler, base.string(), base.string());
  const bool is_good = std::system(command.c_str()) == 0;
  std::string text = is_good ? contents(base.string() + ".ptx") : "";
  std::filesystem::remove(base.string() + ".cu");
  std::filesystem::remove(base.string() + ".ptx");
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t seed = 1;
  std::uint64_t kernels = 200;
  std::uint64_t batch = 200;
  std::uint64_t runs = 60;
  std::uint64_t timeout = 3000;
  std::string compiler = "nvcc -O3";
  bool print = false;
  bool verbose = false;
  ambit::test::read_tool_options(
      argc, argv,
      "ambit_compiled_kernels [--seed N] [--kernels N] [--batch N] [--runs N] [--timeout MILLISECONDS]\n"
      "  [--compiler COMMAND] [--print] [--verbose]\n"
      "Compares random CUDA kernels, compiled, with their sources under the model ptx and with runs on the virtual\n"
      "GPU. A batch is compiled at once. --print writes the source of the kernels instead; --verbose also names the\n"
      "kernels that a reader refuses.",
      {{"seed", &seed},
       {"kernels", &kernels},
       {"batch", &batch},
       {"runs", &runs},
       {"timeout", &timeout},
       {"compiler", &compiler},
       {"print", &print},
       {"verbose", &verbose}});
  if (print) {
    fmt::print("{}", source_of(random_kernels(seed, kernels)));
    return 0;
  }
  KernelComparer comparer({static_cast<unsigned>(runs), static_cast<unsigned>(timeout)});
  constexpr std::array kNames = {"agreed", "refused", "skipped", "explained", "disagreed"};
  std::array<std::uint64_t, 5> counts{};
  for (std::uint64_t done = 0; done < kernels; done += batch) {
    const std::vector<PlacedKernel> placed = random_kernels(seed + done, std::min(batch, kernels - done));
    const std::string ptx = compiled(compiler, source_of(placed), seed + done);
    if (ptx.empty()) {
      fmt::print("seed {}: the compiler fails\n", seed + done);
      return 2;
    }
    const KernelModules modules(ptx);
    for (const PlacedKernel& one : placed) {
      const Comparison comparison = comparer.compare(one, modules.module_of(one.kernel.name));
      ++counts[static_cast<std::size_t>(comparison.kind)];
      const bool is_shown =
          comparison.kind == Comparison::Kind::Disagreed || (verbose && comparison.kind != Comparison::Kind::Agreed);
      if (!is_shown) continue;
      fmt::print("{} {}: {}\n", one.kernel.name, kNames[static_cast<std::size_t>(comparison.kind)], comparison.what);
      if (comparison.kind == Comparison::Kind::Disagreed) fmt::print("{}// {}\n", one.kernel.text, one.kernel.launch);
      std::fflush(stdout);
    }
  }
  fmt::print("{} kernels:", kernels);
  for (std::size_t i = 0; i < counts.size(); ++i) fmt::print(" {} {}{}", counts[i], kNames[i], i == 4 ? "\n" : ",");
  return counts[4] == 0 ? 0 : 1;
}
