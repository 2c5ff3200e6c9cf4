/// Feeds mutated tests of all formats to the parser. A crash, an exception or more than two seconds of CPU time for one
/// input is a failure. The fuzzer then writes the input to parser_fuzz_failure.litmus.
///
///   ambit_parser_fuzz --seconds N --seed S PATHS...      files, or folders with .litmus, .test, .cu and .ptx files

#include "parser/parse.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/support/files.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

namespace {

namespace fs = std::filesystem;
using namespace ambit::fuzz;

constexpr unsigned kHangSeconds = 2;
constexpr std::size_t kLongestInput = std::size_t{64} << 10U;

struct Input {
  std::string text;
  std::string extension;  ///< ".litmus", ".test", ".cu", ".ptx"
};

std::vector<Input> load(const std::vector<std::string>& paths) {
  std::vector<fs::path> files;
  for (const std::string& path : paths) {
    if (!fs::is_directory(path)) {
      files.emplace_back(path);
      continue;
    }
    for (fs::path& file : ambit::test::files_in(path, {".litmus", ".test", ".cu", ".ptx"}))
      files.push_back(std::move(file));
  }
  std::sort(files.begin(), files.end());  // a seed determines the run
  std::vector<Input> inputs;
  for (const fs::path& file : files) inputs.push_back({ambit::test::contents(file), file.extension().string()});
  return inputs;
}

std::string mutate(std::string text, const std::vector<Input>& corpus, Random& random) {
  static const Dictionary pieces("parser.dict");
  const std::size_t times = 1 + below(random, 8);
  for (std::size_t i = 0; i < times; ++i) {
    const std::size_t at = below(random, text.size() + 1);
    const std::size_t length = below(random, 1 + below(random, 40));
    switch (below(random, 8)) {
      case 0: text.erase(at, length); break;
      case 1: text.insert(at, pieces.any(random)); break;
      case 2: text.replace(at, std::min(length, text.size() - at), pieces.any(random)); break;
      case 3: text.insert(at, 1, static_cast<char>(below(random, 256))); break;
      case 4:
        if (at < text.size()) text[at] = static_cast<char>(32 + below(random, 95));
        break;
      case 5: {  // a piece of another file
        const std::string& other = corpus[below(random, corpus.size())].text;
        const std::size_t from = below(random, other.size() + 1);
        text.insert(at, other.substr(from, below(random, 200)));
        break;
      }
      case 6: {  // repeat the piece
        const std::string piece = text.substr(at, length);
        const std::size_t copies = 1 + below(random, 20);
        for (std::size_t copy = 0; copy < copies; ++copy) text.insert(at, piece);
        break;
      }
      default: {  // copy one piece over another
        const std::size_t from = below(random, text.size() + 1);
        const std::string piece = text.substr(from, length);
        text.replace(at, std::min(length, text.size() - at), piece);
        break;
      }
    }
    if (text.size() > kLongestInput) text.resize(kLongestInput);
  }
  return text;
}

/// Returns a launch of a module's first kernel, because a PTX module needs a launch.
std::optional<std::string> launch_of(const std::string& text) {
  constexpr std::string_view kEntry = ".entry ";
  const std::size_t begin = text.find(kEntry);
  const std::size_t open = begin == std::string::npos ? begin : text.find('(', begin);
  const std::size_t close = open == std::string::npos ? open : text.find(')', open);
  if (close == std::string::npos) return std::nullopt;
  std::string launch = text.substr(begin + kEntry.size(), open - begin - kEntry.size()) + "<<<2, 2>>>(";
  std::size_t count = 0;
  for (std::size_t at = text.find(".param", open); at < close && count < 10; at = text.find(".param", at + 1)) {
    launch += (count == 0 ? "" : ", ") + fmt::format("a{}[4]", count);
    ++count;
  }
  return launch + ")";
}

bool parse_one(const std::string& text, const std::string& extension) {
  return survives(text, kHangSeconds, [&] {
    const auto source = std::make_shared<const ambit::SourceFile>(ambit::SourceFile{"fuzz" + extension, text});
    ambit::parser::ProgramOptions options;
    if (extension == ".ptx") options.launch = launch_of(text);
    const auto result = ambit::parser::parse_programs(source, options);
    return result.ok() || !ambit::render(result.errors()).empty();
  });
}

}  // namespace

int main(int argc, char** argv) {
  const char* usage = "ambit_parser_fuzz [--seconds N] [--seed N] PATHS";
  const Options options = read_options(usage, argc, argv);
  const std::vector<Input> corpus = load(options.paths);
  if (corpus.empty()) {
    fmt::print(stderr, "{}\n", usage);
    return 2;
  }
  catch_signals("parser_fuzz_failure.litmus");
  Random random(options.seed);
  std::uint64_t count = 0;
  for (const Input& input : corpus) {
    if (!parse_one(input.text, input.extension)) return 1;
    ++count;
  }
  const bool good = repeat(options.seconds, [&] {
    const Input& from = corpus[below(random, corpus.size())];
    ++count;
    return parse_one(mutate(from.text, corpus, random), from.extension);
  });
  if (!good) return 1;
  fmt::print("{} inputs from {} files, seed {}: no failure\n", count, corpus.size(), options.seed);
  return 0;
}
