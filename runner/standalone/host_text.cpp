#include "runner/standalone/host_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <string_view>

#include "core/proposition.h"

namespace ambit::standalone {
namespace {

constexpr std::string_view kSupport = R"(
namespace host {

using Values = std::vector<long long>;

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "error: %s\n", cudaGetErrorString(error));
  std::_Exit(2);
}

// Returns the variable at its device address.
template <class T>
T &on_device(T &symbol) {
  void *address = nullptr;
  check(cudaGetSymbolAddress(&address, symbol));
  return *static_cast<T *>(address);
}

// A copy of a variable's contents on the host.
template <class T>
class Copy {
 public:
  explicit Copy(T &symbol) : at_((void *)&on_device(symbol)) { load(); }
  void load() { check(cudaMemcpy(bytes_, at_, sizeof(T), cudaMemcpyDeviceToHost)); }
  void store() const { check(cudaMemcpy(at_, bytes_, sizeof(T), cudaMemcpyHostToDevice)); }
  T &value() { return *reinterpret_cast<T *>(bytes_); }

 private:
  void *at_;
  alignas(16) unsigned char bytes_[sizeof(T)];
};

// Returns false if the run has not ended after this time.
bool has_ended(double seconds) {
  const auto start = std::chrono::steady_clock::now();
  for (;;) {
    const cudaError_t state = cudaStreamQuery(nullptr);
    if (state != cudaErrorNotReady) {
      check(state);
      return true;
    }
    if (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > seconds) return false;
  }
}

}  // namespace host
)";

constexpr std::string_view kMain = R"(
int main(int argc, char **argv) {
  long runs = 1000;
  double seconds = 60;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    char *end = nullptr;
    if (option == "--runs") runs = std::strtol(argv[i + 1], &end, 10);
    if (option == "--timeout") seconds = std::strtod(argv[i + 1], &end);
    if (end == nullptr || *end != '\0' || runs < 1 || !(seconds > 0)) argc = 0;
  }
  if (argc % 2 == 0) {
    std::fprintf(stderr, "usage: %s [--runs N] [--timeout SECONDS]\n", argv[0]);
    return 2;
  }
  std::map<host::Values, long> counts;
  bool has_ended = true;
  for (long run = 0; run < runs && has_ended; ++run) {
    host::reset();
    host::launch();
    host::check(cudaGetLastError());
    has_ended = host::has_ended(seconds);
    if (!has_ended) break;
    const host::Values state_ = host::observe();
    if (!host::is_counted(state_)) continue;
    ++counts[state_];
#ifdef VERBOSE
    std::printf("run %ld:", run);
    for (std::size_t i = 0; i < state_.size(); ++i) std::printf(" %s=%lld;", host::kNames[i], state_[i]);
    std::printf("\n");
#endif
  }
  host::print(counts);
  std::fflush(stdout);
  if (has_ended) return 0;
  std::fprintf(stderr, "error: a run did not end within %g seconds\n", seconds);
  std::_Exit(3);
}
)";

constexpr std::string_view kPrint = R"(
void print(const std::map<Values, long> &counts) {
  long holds = 0;
  long fails = 0;
  for (const auto &[state_, count] : counts) (holds_in(state_) ? holds : fails) += count;
  std::printf("Test %s %s\n", kTest, kKind);
  std::printf("Histogram (%zu states)\n", counts.size());
  for (const auto &[state_, count] : counts) {
    std::printf("%ld %s>", count, holds_in(state_) ? "*" : ":");
    for (std::size_t i = 0; i < state_.size(); ++i) std::printf("%s%s=%lld;", i == 0 ? "" : " ", kNames[i], state_[i]);
    std::printf("\n");
  }
  const bool is_ok = kKind[0] == 'A' ? holds > 0 : kKind[0] == 'F' ? holds == 0 : fails == 0;
  std::printf("%s\nWitnesses\nPositive: %ld Negative: %ld\n", is_ok ? "Ok" : "No", holds, fails);
  std::printf("Observation %s %s %ld %ld\n\n", kTest, holds == 0 ? "Never" : fails == 0 ? "Always" : "Sometimes", holds,
              fails);
}
)";

std::string test_text(const std::optional<Expr>& proposition, std::size_t columns) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < columns; ++i) names.push_back(fmt::format("state_[{}]", i));
  return proposition ? proposition_text(*proposition, names, PropositionSyntax::C) : "true";
}

std::string observe_text(const HostPart& part) {
  std::string text = "Values observe() {\n";
  for (std::size_t i = 0; i < part.variables.size(); ++i) {
    const Variable& one = part.variables[i];
    if (!one.is_observed) continue;
    text += fmt::format("  static Copy<decltype({})> copy{}_({});\n  copy{}_.load();\n", one.on_device, i,
                        one.on_device, i);
    text += fmt::format("  auto &{} = copy{}_.value();\n", one.name, i);
  }
  std::vector<std::string> values;
  for (const Column& column : part.columns) values.push_back(fmt::format("(long long)({})", column.value));
  return text + fmt::format("  return {{{}}};\n}}\n", fmt::join(values, ", "));
}

std::string reset_text(const HostPart& part) {
  std::string text = "// Resets memory to its initial contents before each run.\nvoid reset() {\n";
  for (std::size_t i = 0; i < part.variables.size(); ++i) {
    const std::string& name = part.variables[i].on_device;
    text += fmt::format("  static const Copy<decltype({})> initial{}({});\n  initial{}.store();\n", name, i, name, i);
  }
  return text + "}\n";
}

/// Formats text as a line comment.
std::string comment(const std::string& text) {
  std::string result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    result += "// " + text.substr(begin, end - begin) + "\n";
    begin = end + 1;
  }
  return result;
}

/// Returns the identifiers in the code, except in comments, and whether any occurrence is a member. A member of a
/// library's type must keep its name.
std::map<std::string, bool> words_of(std::string_view code) {
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  std::map<std::string, bool> result;
  std::string_view before;
  for (std::size_t i = 0; i < code.size();) {
    const std::string_view rest = code.substr(i);
    if (rest.starts_with("//") || rest.starts_with("/*")) {
      const std::string_view end = rest.starts_with("//") ? "\n" : "*/";
      const std::size_t at = rest.find(end);
      i = at == std::string_view::npos ? code.size() : i + at + end.size();
    } else if (is_part(code[i])) {
      std::size_t length = 1;
      while (length < rest.size() && is_part(rest[length])) ++length;
      bool& is_member = result.try_emplace(std::string(rest.substr(0, length)), false).first->second;
      is_member = is_member || before == "." || before == "->";
      before = rest.substr(0, length);
      i += length;
    } else {
      const std::size_t length = rest.starts_with("->") ? 2 : 1;
      if (std::isspace(static_cast<unsigned char>(code[i])) == 0) before = rest.substr(0, length);
      i += length;
    }
  }
  return result;
}

}  // namespace

std::string title_text(const Program& program, bool is_specific) {
  std::string text = comment(program.name);
  if (!program.description.empty()) text += comment(program.description);
  return text + fmt::format("// nvcc -std=c++17 {} FILE && ./a.out --runs 1000\n\n",
                            is_specific ? "-gencode arch=compute_90a,code=sm_90a" : "-arch=sm_90");
}

std::string includes_text(bool atomics, bool groups) {
  std::string text;
  if (atomics) text += "#include <cuda/atomic>\n";
  if (groups) text += "#include <cooperative_groups.h>\n";
  for (const char* name : {"cassert", "chrono", "cstdio", "cstdlib", "map", "string", "vector"}) {
    text += fmt::format("#include <{}>\n", name);
  }
  return text;
}

std::string renaming_text(const std::string& code) {
  // Names that <unistd.h>, <strings.h>, <stdlib.h>, <stdio.h>, <time.h> and <math.h> declare. The C++ standard headers
  // include these headers.
  constexpr std::array kNames = {"access", "acct",     "alarm",  "bcmp",   "bcopy",  "brk",    "bzero", "chdir",
                                 "chown",  "chroot",   "clock",  "close",  "crypt",  "div",    "dup",   "execv",
                                 "ffs",    "fork",     "fsync",  "gamma",  "index",  "j0",     "j1",    "jn",
                                 "link",   "lockf",    "lseek",  "nice",   "pause",  "perror", "pipe",  "puts",
                                 "random", "read",     "remove", "rename", "rindex", "rmdir",  "sleep", "swab",
                                 "sync",   "truncate", "unlink", "write",  "y0",     "y1",     "yn"};
  const std::map<std::string, bool> words = words_of(code);
  std::string text;
  for (const char* name : kNames) {
    const auto found = words.find(name);
    const bool is_only_its_own = found != words.end() && !found->second;
    if (is_only_its_own) text += fmt::format("#define {0} {0}_of_the_test\n", name);
  }
  return text.empty() ? text : "#ifndef __AMBIT__\n" + text + "#endif\n";
}

std::string host_text(const Program& program, const HostPart& part) {
  std::vector<std::string> names;
  for (const Column& column : part.columns) names.push_back(fmt::format("\"{}\"", column.name));
  if (names.empty()) names.emplace_back("\"\"");
  std::string text = std::string(kSupport) + "\nnamespace host {\n\n";
  text += fmt::format("const char *const kTest = \"{}\";\nconst char *const kKind = \"{}\";\n", part.name,
                      herd_kind(program.condition.quantifier));
  text += fmt::format("const char *const kNames[] = {{{}}};\n\n", fmt::join(names, ", "));
  text += reset_text(part) + fmt::format("\nvoid launch() {{\n{}}}\n\n", part.launches) + observe_text(part);
  const std::string filter = test_text(program.condition.filter, part.columns.size());
  const std::string drop = part.drops_runs ? "Copy<decltype(::is_dropped)>(::is_dropped).value() == 0 && " : "";
  text +=
      fmt::format("\nbool is_counted(const Values &state_) {{\n  (void)state_;\n  return {}({});\n}}\n", drop, filter);
  text += fmt::format("\nbool holds_in(const Values &state_) {{\n  (void)state_;\n  return {};\n}}\n",
                      test_text(program.condition.proposition, part.columns.size()));
  return text + std::string(kPrint) + "\n}  // namespace host\n" + std::string(kMain);
}

}  // namespace ambit::standalone
