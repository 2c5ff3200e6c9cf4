#include "parser/compiled/compiled_module.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "parser/compiled/declarations.h"
#include "parser/compiled/launch_text.h"
#include "parser/compiled/mangled_name.h"
#include "parser/compiled/thread_maker.h"
#include "parser/litmus/litmus_program.h"
#include "parser/text/file_syntax.h"

namespace ambit::parser::compiled {
namespace {

/// Places in the PTX text.
class ModulePlaces final : public Places {
 public:
  SourceSpan span(const assembly::Function& /*function*/, const assembly::Instruction& instruction) const override {
    return instruction.place;
  }
};

std::uint32_t count_lines(const std::string& text) {
  return static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n')) + 1;
}

/// The text after `// ambit:` in a line, with its place.
struct Annotation : WrittenLaunch {
  /// Whether the text is a launch: `launch ...` or `then launch ...`. The text of a launch ends at the semicolon.
  bool is_launch = false;
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
      found.push_back({{std::string(rest.substr(0, size)), {line, column, 0}}, true});
      rest.remove_prefix(size);
      column += static_cast<std::uint32_t>(size);
    }
    found.push_back({{std::string(rest), {line, column, 0}}});
  }
  return found;
}

/// Replaces each array argument by a byte array without initial values, and `&data[i]` by `&data[0]`. The size of the
/// elements is still unknown. Accesses through `&data[i]` and `&data[0]` have the same types.
void make_untyped(std::vector<LaunchArgumentNode>& arguments) {
  for (LaunchArgumentNode& argument : arguments) {
    ExprNode& value = argument.value;
    if (value.kind == ExprKind::Unary && value.children.front().kind == ExprKind::Index) {
      value.children.front().children[1] = ExprNode{};
    }
    argument.type = {};
    argument.array.initializer = Declarator::Initializer::None;
    make_untyped(argument.fields);
  }
}

void make_untyped(FileNode& file) {
  for (LaunchNode& launch : file.launches) make_untyped(launch.arguments);
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
    if (!launch_) return Diagnostic{source_, {}, "a PTX module needs a launch", launch_hint()};
    Reporter reporter = make_reporter();
    const std::optional<ParsedLaunch> parsed = parse_launch(*launch_, reporter);
    const assembly::Function* kernel = parsed ? find_kernel(module_, *launch_, reporter, launch_hint()) : nullptr;
    if (kernel == nullptr) return reporter.take();
    name_ = name_in_program(*kernel);
    Declarations declarations(module_, *kernel, parsed->node().arguments, name_);
    if (!declarations.check(parsed->node().arguments, reporter)) return reporter.take();
    const SourceSpan place = module_.file == source_ ? kernel->place : SourceSpan{1, 1, 1};
    AccessRecords records;
    const Result<std::shared_ptr<Program>> surveyed = assemble(declarations.text_for_survey(), place, &records);
    if (!surveyed.ok()) return surveyed.errors();
    const std::string text = declarations.text(records, reporter);
    if (reporter.has_errors()) return reporter.take();
    const Result<std::shared_ptr<Program>> program = assemble(text, place, nullptr);
    if (!program.ok()) return program.errors();
    return std::shared_ptr<const Program>(program.value());
  }

 private:
  /// Finds the launch: the launch in the option --launch, otherwise the only launch in comments. Returns an error if
  /// the comments contain several launches.
  std::optional<Diagnostic> find_launch() {
    if (options_.launch) {
      launch_ = WrittenLaunch{*options_.launch, {option_line_, 1, 0}};
      return std::nullopt;
    }
    for (const Annotation& one : annotations_) {
      if (!one.is_launch) continue;
      if (launch_)
        return Diagnostic{source_, one.place, "a PTX module can have only one launch", "remove the other launches"};
      launch_ = one;
    }
    return std::nullopt;
  }

  /// Returns a reporter. For errors in the text of --launch, it shows the option as the place, not the PTX.
  Reporter make_reporter() const {
    Reporter reporter(source_);
    if (options_.launch) {
      reporter.add_file(std::make_shared<const SourceFile>(SourceFile{"--launch", *options_.launch}), option_line_);
    }
    return reporter;
  }

  /// Returns the name that the launch gives to the kernel; the mangled name if several compiled kernels have that name.
  std::string name_in_program(const assembly::Function& kernel) const {
    const std::string written = launch_->kernel();
    const auto same = std::ranges::count_if(module_.functions, [&](const assembly::Function& function) {
      return function.is_entry && function.has_body && names_kernel(function.name, written);
    });
    return same == 1 && names_kernel(kernel.name, written) ? written : kernel.name;
  }

  std::string launch_hint() const {
    const std::vector<std::string> names = kernel_names(module_);
    if (names.empty()) return "the module has no kernel";
    return fmt::format("write --launch '{0}', or a comment // ambit: launch {0}; the kernels are {1}", example_launch(),
                       fmt::join(names, ", "));
  }

  /// Returns an example of a launch of the first kernel. Each array has one element for each thread. Each number is 1.
  std::string example_launch() const {
    const auto kernel = std::ranges::find_if(
        module_.functions, [](const assembly::Function& function) { return function.is_entry && function.has_body; });
    const std::vector<std::string> types = parameter_types(kernel->name);
    std::vector<std::string> arguments;
    for (std::size_t i = 0; i < kernel->parameters.size(); ++i) {
      const bool is_wide = module_.variables[kernel->parameters[i].index].size() == 8;
      const bool is_array = i < types.size() ? types[i].find('*') != std::string::npos : is_wide;
      arguments.push_back(is_array ? fmt::format("{}[64]", static_cast<char>('a' + i % 26)) : "1");
    }
    return fmt::format("{}<<<2, 32>>>({})", name_with_arguments(kernel->name), fmt::join(arguments, ", "));
  }

  /// Adds the declarations of the kernel and its memory.
  void add(const std::string& declarations, const SourceSpan& place, PlacedText& text) const {
    constexpr std::string_view kKernel = "__global__ void ";
    const std::size_t name = declarations.find(kKernel) + kKernel.size();
    text.add(declarations.substr(0, name), place);
    text.add_name(name_, place);
    text.text += " ";
    text.add(declarations.substr(name + name_.size()), place);
  }

  /// Makes the program. If `records` is given, adds the accesses to `records` and not to the program.
  Result<std::shared_ptr<Program>> assemble(const std::string& declarations, const SourceSpan& place,
                                            AccessRecords* records) const {
    Reporter reporter = make_reporter();
    PlacedText text;
    add(declarations, place, text);
    launch_->add_to(text, name_);
    for (const Annotation& one : annotations_) {
      if (records != nullptr || one.is_launch) continue;
      text.add_copy(one.text, one.place);
      text.text += "\n";
    }
    const auto program = std::make_shared<Program>();
    program->source = source_;
    program->is_compiled = true;
    program->name = std::filesystem::path(source_->path).stem().string();
    const TokenOrigins origins(text.origins, launch_->place);
    const SourceFile generated = {source_->path, text.text};
    if (auto file = read_file(generated, 0, Part::Body, reporter, &origins)) {
      if (records != nullptr) make_untyped(*file);
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
  std::optional<WrittenLaunch> launch_;
  std::string name_;  ///< name of the kernel in the generated text
};

}  // namespace

bool is_module(const SourceFile& source) {
  if (source.path.ends_with(".ptx")) return true;
  std::string_view text = source.text;
  for (;;) {  // skips empty lines, and comments at the beginning of compiler output
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
