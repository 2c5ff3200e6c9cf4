#include "parser/compiled/compiled_module.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <set>

#include "parser/compiled/declarations.h"
#include "parser/compiled/mangled_name.h"
#include "parser/compiled/thread_maker.h"
#include "parser/litmus/litmus_program.h"
#include "parser/text/file_syntax.h"

namespace ambit::parser::compiled {
namespace {

/// The lines of the PTX.
class ModulePlaces final : public Places {
 public:
  SourceSpan span(const assembly::Function& /*function*/, const assembly::Instruction& instruction) const override {
    return instruction.place;
  }
};

std::uint32_t count_lines(const std::string& text) {
  return static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n')) + 1;
}

/// A text with the places of its words in the PTX or in the option.
struct PlacedText {
  std::string text;
  std::vector<TokenOrigin> origins;

  /// `is_copy`: the words stand behind each other at `place`; otherwise all of them have this place.
  void add(std::string_view part, const SourceSpan& place, bool is_copy = false) {
    constexpr std::string_view kSpace = " \t\n";
    for (std::size_t i = 0; i < part.size();) {
      const std::size_t begin = std::min(part.find_first_not_of(kSpace, i), part.size());
      const std::size_t end = std::min(part.find_first_of(kSpace, begin), part.size());
      text += part.substr(i, begin - i);
      SourceSpan span = place;
      if (is_copy) {
        span.column += static_cast<std::uint32_t>(begin);
        span.length = static_cast<std::uint32_t>(end - begin);
      }
      if (end > begin) origins.push_back({text.size(), end - begin, span, TokenOrigin::Kind::Words});
      text += part.substr(begin, end - begin);
      i = end;
    }
  }
};

/// What stands behind `// ambit:` in a line, at its place.
struct Annotation {
  std::string text;
  SourceSpan place;
  bool is_launch = false;  ///< `launch ...` or `then launch ...`, up to its semicolon
};

bool begins_with_word(std::string_view text, std::string_view word) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  text.remove_prefix(begin);
  return text.starts_with(word) && (text.size() == word.size() || text[word.size()] == ' ');
}

std::vector<Annotation> annotations_of(const std::string& text) {
  constexpr std::string_view kBegin = "// ambit:";
  std::vector<Annotation> found;
  std::uint32_t line = 1;
  for (std::size_t begin = 0; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view rest = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    if (!rest.starts_with(kBegin)) continue;
    auto column = static_cast<std::uint32_t>(kBegin.size() + 1);
    rest.remove_prefix(kBegin.size());
    while (begins_with_word(rest, "launch") || begins_with_word(rest, "then")) {
      const std::size_t size = std::min(rest.find(';'), rest.size() - 1) + 1;
      found.push_back({std::string(rest.substr(0, size)), {line, column, 0}, true});
      rest.remove_prefix(size);
      column += static_cast<std::uint32_t>(size);
    }
    found.push_back({std::string(rest), {line, column, 0}});
  }
  return found;
}

class ModuleProgram {
 public:
  ModuleProgram(const SourceFilePtr& source, const assembly::Module& module, const Places& places,
                const ProgramOptions& options)
      : source_(source),
        module_(module),
        places_(places),
        options_(options),
        annotations_(annotations_of(source->text)),
        option_line_(count_lines(source->text) + 1) {}

  Result<std::shared_ptr<const Program>> read() {
    if (const auto error = find_launch()) return *error;
    const assembly::Function* kernel = find_kernel();
    if (kernel == nullptr) return launch_error();
    Declarations declarations(module_, *kernel, arguments_of_launch(), kernel_name());
    if (auto objection = declarations.objection()) return *std::move(objection);
    const SourceSpan place = module_.file == source_ ? kernel->place : SourceSpan{1, 1, 1};
    AccessRecords records;
    const Result<std::shared_ptr<Program>> surveyed = assemble(declarations.text_for_survey(), place, &records);
    if (!surveyed.ok()) return surveyed.errors();
    Reporter reporter(source_);
    const std::string text = declarations.text(records, reporter);
    if (reporter.has_errors()) return reporter.take();
    const Result<std::shared_ptr<Program>> program = assemble(text, place, nullptr);
    if (!program.ok()) return program.errors();
    return std::shared_ptr<const Program>(program.value());
  }

 private:
  /// That of the option, else the only one of the comments. An error: there are several.
  std::optional<Diagnostic> find_launch() {
    if (options_.launch) {
      launch_ = {*options_.launch, {option_line_, 1, 0}, true};
      return std::nullopt;
    }
    for (const Annotation& one : annotations_) {
      if (!one.is_launch) continue;
      if (launch_) return Diagnostic{source_, one.place, "a PTX module has one launch", "remove the others"};
      launch_ = one;
    }
    return std::nullopt;
  }

  std::string kernel_name() const {
    const std::string& launch = launch_->text;
    std::string name = launch.substr(0, launch.find("<<<"));
    if (const std::size_t begin = name.find("launch "); begin != std::string::npos) name.erase(0, begin + 7);
    std::erase_if(name, [](char c) { return c == ' ' || c == '\t'; });
    return name;
  }

  const assembly::Function* find_kernel() const {
    if (!launch_) return nullptr;
    const assembly::Function* found = nullptr;
    for (const assembly::Function& function : module_.functions) {
      if (!function.is_entry || !function.has_body) continue;
      if (function.name == kernel_name()) return &function;
      if (plain_name(function.name) == kernel_name() && found == nullptr) found = &function;
    }
    return found;
  }

  Diagnostic launch_error() const {
    std::vector<std::string> names;
    for (const assembly::Function& function : module_.functions) {
      if (function.is_entry && function.has_body) names.push_back(plain_name(function.name));
    }
    const std::string hint =
        names.empty() ? "the module has no kernel"
                      : fmt::format("write --launch '{0}', or a comment // ambit: launch {0}; the kernels are {1}",
                                    example_launch(), fmt::join(names, ", "));
    if (!launch_) return {source_, {}, "a PTX module needs a launch", hint};
    return {source_, {}, fmt::format("the module has no kernel '{}'", kernel_name()), hint};
  }

  /// Returns a launch of the first kernel as an example. Each array has one element for each thread; each number is 1.
  std::string example_launch() const {
    const auto kernel = std::ranges::find_if(
        module_.functions, [](const assembly::Function& function) { return function.is_entry && function.has_body; });
    const std::string full = demangled(kernel->name);
    const std::size_t open = full.find('(');
    std::vector<std::string> types;  // the parameter types in the mangled name
    int depth = 0;
    for (std::size_t i = std::min(open, full.size() - 1) + 1; i < full.size(); ++i) {
      if (depth == 0 && types.empty()) types.emplace_back();
      if (depth == 0 && full[i] == ',') {
        types.emplace_back();
        continue;
      }
      depth += full[i] == '(' || full[i] == '<' ? 1 : full[i] == ')' || full[i] == '>' ? -1 : 0;
      types.back() += full[i];
    }
    std::vector<std::string> arguments;
    for (std::size_t i = 0; i < kernel->parameters.size(); ++i) {
      const bool is_wide = module_.variables[kernel->parameters[i].index].size() == 8;
      const bool is_array = i < types.size() ? types[i].find('*') != std::string::npos : is_wide;
      arguments.push_back(is_array ? fmt::format("{}[64]", static_cast<char>('a' + i % 26)) : "1");
    }
    return fmt::format("{}<<<2, 32>>>({})", plain_name(kernel->name), fmt::join(arguments, ", "));
  }

  /// The arguments as text.
  std::vector<std::string> arguments_of_launch() const {
    const std::string& launch = launch_->text;
    const std::size_t open = launch.find('(', std::min(launch.find(">>>"), launch.size()));
    if (open == std::string::npos) return {};
    std::size_t end = open + 1;
    for (int depth = 1; end < launch.size(); ++end) {
      if (launch[end] == '(') ++depth;
      if (launch[end] == ')' && --depth == 0) break;
    }
    return parts_of_list(std::string_view(launch).substr(open + 1, end - open - 1));
  }

  /// `records` null: the program; otherwise a program whose accesses are recorded.
  Result<std::shared_ptr<Program>> assemble(const std::string& declarations, const SourceSpan& place,
                                            AccessRecords* records) const {
    Reporter reporter(source_);
    if (options_.launch) {
      reporter.add_file(std::make_shared<const SourceFile>(SourceFile{"--launch", *options_.launch}), option_line_);
    }
    const SourceSpan word = {launch_->place.line, launch_->place.column, 1};
    PlacedText text;
    text.add(declarations, place);
    text.add(begins_with_word(launch_->text, "launch") ? "\n" : "\nlaunch ", word);
    text.add(launch_->text, launch_->place, true);
    text.add(launch_->text.ends_with(";") ? "\n" : " ;\n", word);
    for (const Annotation& one : annotations_) {
      if (records != nullptr || one.is_launch) continue;
      text.add(one.text, one.place, true);
      text.text += "\n";
    }
    const auto program = std::make_shared<Program>();
    program->source = source_;
    program->is_compiled = true;
    program->name = std::filesystem::path(source_->path).stem().string();
    const TokenOrigins origins(text.origins, launch_->place);
    const SourceFile generated = {source_->path, text.text};
    if (const auto file = read_file(generated, 0, Part::Body, reporter, &origins)) {
      CompiledThreadMaker maker(module_, places_, records);
      litmus::assemble(*file, options_, *program, reporter, &maker);
    }
    if (records != nullptr) records->divide_bytes();
    if (reporter.has_errors()) return reporter.take();
    return program;
  }

  SourceFilePtr source_;
  const assembly::Module& module_;
  const Places& places_;
  const ProgramOptions& options_;
  std::vector<Annotation> annotations_;
  std::uint32_t option_line_;
  std::optional<Annotation> launch_;
};

}  // namespace

bool is_module(const SourceFile& source) {
  if (source.path.ends_with(".ptx")) return true;
  std::string_view text = source.text;
  for (;;) {  // comments of compilers, and empty lines
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return false;
    text.remove_prefix(begin);
    if (!text.starts_with("//")) return text.starts_with(".version");
    text.remove_prefix(std::min(text.find('\n'), text.size()));
  }
}

bool has_launch_comment(const SourceFile& source) {
  return std::ranges::any_of(annotations_of(source.text), &Annotation::is_launch);
}

Result<std::shared_ptr<const Program>> read_module(const SourceFilePtr& source, const ProgramOptions& options) {
  const Result<assembly::Module> module = assembly::read_module(source);
  if (!module.ok()) return module.errors();
  return read_module_of(source, module.value(), ModulePlaces(), options);
}

Result<std::shared_ptr<const Program>> read_module_of(const SourceFilePtr& source, const assembly::Module& module,
                                                      const Places& places, const ProgramOptions& options) {
  return ModuleProgram(source, module, places, options).read();
}

}  // namespace ambit::parser::compiled
