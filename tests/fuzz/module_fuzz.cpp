/// Mutates PTX modules and feeds them to the reader of compiled kernels. Mutates instructions, operands, guards,
/// labels, calls, functions and declarations. A crash, an exception or more than four seconds of CPU time for one input
/// is a failure. The fuzzer then writes the input to module_fuzz_failure.ptx.
///
///   ambit_module_fuzz --seconds N --seed S PATHS...      .ptx files, or folders with .ptx files

#include "model/events/event_graph.h"
#include "parser/module_launch.h"
#include "parser/parse.h"
#include "ptx/module.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/support/files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <utility>

namespace {

namespace fs = std::filesystem;
using namespace ambit::fuzz;
namespace ptx = ambit::ptx;

constexpr unsigned kHangSeconds = 4;
constexpr std::size_t kLongestInput = std::size_t{128} << 10U;

constexpr std::array<std::string_view, 14> kTypes = {"u8",  "s8",  "b8",  "u16", "s16", "u32", "s32",
                                                     "b32", "u64", "s64", "b64", "f32", "f64", "pred"};
constexpr std::array<std::string_view, 12> kNumbers = {
    "0", "1", "-1", "4", "8", "31", "255", "2147483647", "0x80000000", "4294967296", "-8", "0x7fffffffffffffff"};
constexpr std::array<std::string_view, 5> kSpaces = {".local", ".shared", ".global", ".const", ".param"};

/// Mutates the text and structure of one module.
class Mutation {
 public:
  Mutation(const ptx::Module& module, const std::vector<ptx::Module>& corpus, Random& random)
      : module_(module), corpus_(corpus), random_(random) {
    for (std::size_t i = 0; i < module.functions.size(); ++i) {
      if (!module.functions[i].instructions.empty()) bodies_.push_back(i);
    }
  }

  std::string changed() {
    const std::size_t times = 1 + below(random_, 4);
    for (std::size_t i = 0; i < times; ++i) change();
    // Applies later edits first, so that the spans of earlier edits stay valid. Skips overlapping edits.
    std::stable_sort(edits_.begin(), edits_.end(), [](const auto& a, const auto& b) { return a.offset > b.offset; });
    std::string text = module_.file->text;
    std::size_t limit = text.size();
    for (const ptx::Edit& edit : edits_) {
      if (edit.offset + edit.length > limit) continue;
      text.replace(edit.offset, edit.length, edit.text);
      limit = edit.offset;
    }
    return text;
  }

 private:
  template <typename List>
  const auto& any(const List& list) {
    return list[below(random_, list.size())];
  }
  const ptx::Function& body() { return module_.functions[any(bodies_)]; }
  std::string_view text_of(ptx::TextSpan span) const { return module_.text_of(span); }
  void replace(ptx::TextSpan span, std::string text) { edits_.push_back({span.offset, span.length, std::move(text)}); }
  void insert(std::uint32_t offset, std::string text) { edits_.push_back({offset, 0, std::move(text)}); }

  void change() {
    if (bodies_.empty()) return;
    const ptx::Function& function = body();
    const ptx::Instruction& instruction = any(function.instructions);
    switch (below(random_, 14)) {
      case 0: return replace(instruction.text, "");
      case 1: return insert(instruction.text.offset, std::string(text_of(any(function.instructions).text)) + "\n");
      case 2: return replace(instruction.text, std::string(text_of(any(function.instructions).text)));
      case 3: return change_word(instruction, '%', register_of(function));
      case 4: return change_number(instruction);
      case 5: return change_guard(function, instruction);
      case 6: return change_target(function, instruction);
      case 7: return add_jump(function, instruction);
      case 8: return add_call(instruction);
      case 9: return change_type(instruction);
      case 10: return move_function();
      case 11: return change_declaration();
      case 12: return insert_foreign(instruction);
      default: return change_offset(instruction);
    }
  }

  std::string register_of(const ptx::Function& function) {
    if (function.registers.empty()) return "%r1";
    return function.register_name(static_cast<std::uint32_t>(below(random_, function.registers.size())));
  }

  /// Replaces a word of the instruction, such as a modifier, by `word`. The replaced word begins with `begin`.
  void change_word(const ptx::Instruction& instruction, char begin, const std::string& word) {
    const std::string_view text = text_of(instruction.text);
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == begin) found.push_back(i);
    }
    if (found.empty()) return;
    const std::size_t at = any(found);
    const std::size_t end = std::min(text.find_first_of(" ,;]+}|()", at), text.size());
    replace({instruction.text.offset + static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end - at)}, word);
  }

  void change_number(const ptx::Instruction& instruction) {
    const std::string_view text = text_of(instruction.text);
    const std::size_t comma = text.find_last_of(", ");
    const std::size_t end = text.find(';');
    if (comma == std::string_view::npos || end == std::string_view::npos || comma > end) return;
    replace(
        {instruction.text.offset + static_cast<std::uint32_t>(comma) + 1, static_cast<std::uint32_t>(end - comma - 1)},
        std::string(any(kNumbers)));
  }

  void change_offset(const ptx::Instruction& instruction) {
    const std::string_view text = text_of(instruction.text);
    const std::size_t close = text.find(']');
    if (close == std::string_view::npos) return;
    const std::size_t plus = text.find('+');
    const std::size_t begin = plus == std::string_view::npos || plus > close ? close : plus;
    replace({instruction.text.offset + static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(close - begin)},
            fmt::format("+{}", any(kNumbers)));
  }

  void change_guard(const ptx::Function& function, const ptx::Instruction& instruction) {
    const std::string_view text = text_of(instruction.text);
    if (text.starts_with("@")) {
      const auto end = static_cast<std::uint32_t>(std::min(text.find(' '), text.size()));
      return replace({instruction.text.offset, end}, "");
    }
    std::vector<std::uint32_t> predicates;
    for (std::uint32_t i = 0; i < function.registers.size(); ++i) {
      if (function.registers[i] == ptx::Type::Pred) predicates.push_back(i);
    }
    if (predicates.empty()) return;
    insert(instruction.text.offset,
           fmt::format("@{}{} ", below(random_, 2) == 0 ? "!" : "", function.register_name(any(predicates))));
  }

  void change_target(const ptx::Function& function, const ptx::Instruction& instruction) {
    if (function.labels.empty()) return;
    if (instruction.opcode == ptx::Opcode::Bra) return change_word(instruction, '$', any(function.labels).name);
    insert(instruction.text.offset, fmt::format("bra {};\n", any(function.labels).name));
  }

  /// Adds a jump between two places of a function. Such jumps make loops with several entries.
  void add_jump(const ptx::Function& function, const ptx::Instruction& instruction) {
    const std::string label = fmt::format("$fuzz{}", labels_++);
    const ptx::Instruction& other = any(function.instructions);
    insert(other.text.offset, label + ":\n");
    std::vector<std::uint32_t> predicates;
    for (std::uint32_t i = 0; i < function.registers.size(); ++i) {
      if (function.registers[i] == ptx::Type::Pred) predicates.push_back(i);
    }
    const std::string guard =
        predicates.empty() ? std::string() : fmt::format("@{} ", function.register_name(any(predicates)));
    insert(instruction.text.offset, fmt::format("{}bra {};\n", guard, label));
  }

  std::string parameter_text(const ptx::Parameter& parameter, const std::string& name) const {
    const ptx::Variable& variable = module_.variables[parameter.index];
    return variable.is_array ? fmt::format(".param .align {} .b8 {}[{}];", variable.alignment, name, variable.size())
                             : fmt::format(".param .b{} {};", variable.size() * 8, name);
  }

  /// Adds a call of some function, mostly with matching parameters.
  void add_call(const ptx::Instruction& instruction) {
    const ptx::Function& callee = any(module_.functions);
    std::string text = "{ ";
    std::string returns;
    std::string arguments;
    const auto declare = [&](const std::vector<ptx::Parameter>& parameters, const char* prefix, std::string& list) {
      for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (parameters[i].is_register) continue;
        const std::string name = fmt::format("{}{}", prefix, i);
        text += parameter_text(parameters[i], name) + " ";
        list += (list.empty() ? "" : ", ") + name;
      }
    };
    declare(callee.returns, "fuzzret", returns);
    declare(callee.parameters, "fuzzparam", arguments);
    if (below(random_, 8) == 0) arguments.clear();
    text += fmt::format("call {}{}, ({}); }}\n", returns.empty() ? "" : "(" + returns + "), ", callee.name, arguments);
    insert(instruction.text.offset, text);
  }

  void change_type(const ptx::Instruction& instruction) {
    const std::string_view spelling = text_of(instruction.spelling);
    const std::size_t dot = spelling.rfind('.');
    if (dot == std::string_view::npos) return;
    replace({instruction.spelling.offset + static_cast<std::uint32_t>(dot) + 1,
             static_cast<std::uint32_t>(spelling.size() - dot - 1)},
            std::string(any(kTypes)));
  }

  /// Removes, duplicates, declares or moves a function, or removes the body of the function.
  void move_function() {
    const ptx::Function& function = any(module_.functions);
    const std::string text(text_of(function.text));
    const std::size_t open = text.find('{');
    const std::string head = text.substr(0, open == std::string::npos ? text.size() : open) + ";\n";
    switch (below(random_, 5)) {
      case 0: return replace(function.text, "");
      case 1: return replace(function.text, head);
      case 2: return insert(function.text.offset, head);
      case 3:
        replace(function.text, head);
        return insert(static_cast<std::uint32_t>(module_.file->text.size()), "\n" + text + "\n");
      default: return insert(any(module_.functions).text.offset, text + "\n");
    }
  }

  void change_declaration() {
    if (module_.variables.empty()) return;
    const ptx::Variable& variable = any(module_.variables);
    const std::string& text = module_.file->text;
    const std::size_t at = text.find(variable.name);
    if (at == std::string::npos) return;
    const std::size_t line = text.rfind('\n', at) + 1;
    const auto old = text.substr(line, at - line);
    std::string changed = old;
    const std::string_view from = any(kSpaces);
    if (const std::size_t space = changed.find(from); space != std::string::npos) {
      changed.replace(space, from.size(), any(kSpaces));
    } else if (const std::size_t dot = changed.rfind('.'); dot != std::string::npos) {
      changed = changed.substr(0, dot + 1) + std::string(any(kTypes)) + " ";
    }
    replace({static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(old.size())}, changed);
  }

  /// Inserts an instruction of another module without renaming its registers: compilers use the same register names in
  /// all modules.
  void insert_foreign(const ptx::Instruction& instruction) {
    const ptx::Module& other = any(corpus_);
    const ptx::Function& function = any(other.functions);
    if (function.instructions.empty()) return;
    insert(instruction.text.offset, std::string(other.text_of(any(function.instructions).text)) + "\n");
  }

  const ptx::Module& module_;
  const std::vector<ptx::Module>& corpus_;
  Random& random_;
  std::vector<std::size_t> bodies_;
  std::vector<ptx::Edit> edits_;
  std::size_t labels_ = 0;
};

/// Returns a launch of the first kernel. Parameters of 8 bytes get arrays, with or without a type; other parameters get
/// numbers.
std::optional<std::string> launch_of(const ptx::Module& module) {
  for (const ptx::Function& function : module.functions) {
    if (!function.is_entry || !function.has_body) continue;
    std::string arguments;
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
      const bool is_array =
          !function.parameters[i].is_register && module.variables[function.parameters[i].index].size() == 8;
      arguments += (i == 0 ? "" : ", ") +
                   (is_array ? fmt::format("{}[8] = 3", i % 2 == 0 ? "int" : fmt::format("a{}", i)) : "2");
    }
    return fmt::format("{}<<<2, 2>>>({})", function.name, arguments);
  }
  return std::nullopt;
}

bool read_one(const std::string& text) {
  return survives(text, kHangSeconds, [&] {
    const auto module = ptx::read_module(text, "fuzz.ptx");
    if (!module.ok()) return !ambit::render(module.errors()).empty();
    ambit::parser::ProgramOptions options;
    options.launch = launch_of(module.value());
    if (options.launch) {
      const auto launch = ambit::parser::read_module_launch(module.value(), *options.launch);
      if (!launch.ok() && ambit::render(launch.errors()).empty()) return false;
    }
    const auto source = std::make_shared<const ambit::SourceFile>(ambit::SourceFile{"fuzz.ptx", text});
    const auto programs = ambit::parser::parse_programs(source, options);
    if (!programs.ok()) return !ambit::render(programs.errors()).empty();
    ambit::Context context;
    context.set_timeout(std::chrono::milliseconds(1500));
    ambit::events::GraphOptions graph;
    graph.max_events = 2000;
    const auto built = ambit::events::build(programs.value().front(), graph, context);
    return built.ok() || !ambit::render(built.errors()).empty();
  });
}

}  // namespace

int main(int argc, char** argv) {
  const char* usage = "ambit_module_fuzz [--seconds N] [--seed N] PATHS";
  const Options options = read_options(usage, argc, argv);
  std::set<fs::path> files;  // ordered, so that a seed determines the run
  for (const std::string& path : options.paths) {
    if (!fs::is_directory(path)) {
      files.insert(path);
      continue;
    }
    for (const fs::path& file : ambit::test::files_in(path, {".ptx"})) files.insert(file);
  }
  catch_signals("module_fuzz_failure.ptx");
  std::vector<ptx::Module> corpus;
  for (const fs::path& file : files) {
    const std::string text = ambit::test::contents(file);
    if (text.size() > kLongestInput) continue;
    if (!read_one(text)) return 1;
    if (auto module = ptx::read_module(text, file.string()); module.ok()) corpus.push_back(std::move(module).value());
  }
  if (corpus.empty()) {
    fmt::print(stderr, "{}\n", usage);
    return 2;
  }
  Random random(options.seed);
  std::uint64_t count = 0;
  const bool good = repeat(options.seconds, [&] {
    // Mutates a module several times. Stops when the reader rejects the mutated module.
    const ptx::Module* module = &corpus[below(random, corpus.size())];
    std::optional<ptx::Module> changed;
    for (int depth = 0; depth < 3; ++depth) {
      const std::string text = Mutation(*module, corpus, random).changed();
      if (text.size() > kLongestInput) break;
      ++count;
      if (!read_one(text)) return false;
      auto read = ptx::read_module(text, "fuzz.ptx");
      if (!read.ok()) break;
      changed = std::move(read).value();
      module = &*changed;
    }
    return true;
  });
  if (!good) return 1;
  fmt::print("{} modules from {} files, seed {}: no failure\n", count, corpus.size(), options.seed);
  return 0;
}
