#include "parser/cuda/cuda_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "parser/cuda/launch/device_code.h"
#include "parser/cuda/launch/host_launch.h"
#include "parser/cuda/launch/host_values.h"
#include "parser/cuda/launch/launch_example.h"
#include "parser/cuda/library/library_names.h"
#include "parser/cuda/library/pipeline_text.h"
#include "parser/cuda/syntax/brackets.h"
#include "parser/cuda/syntax/lexer.h"
#include "parser/cuda/syntax/preprocessor.h"
#include "parser/litmus/litmus_program.h"
#include "parser/text/file_syntax.h"

namespace ambit::parser::cuda {
namespace {

void add(const Pieces& pieces, LitmusText& to) {
  std::string& text = to.text.text;
  for (const Piece& piece : pieces) {
    if (piece.spaced || text.empty()) text += ' ';
    const auto kind = piece.kind == Piece::Kind::Plain  ? TokenOrigin::Kind::Words
                      : piece.kind == Piece::Kind::Name ? TokenOrigin::Kind::Name
                                                        : TokenOrigin::Kind::TypeName;
    to.origins.push_back({text.size(), piece.text.size(), piece.span, kind});
    text += piece.text;
  }
  text += '\n';
}

/// Returns whether `t = tensormap(...)` or `t[1] = tensormap(...)` begins here.
bool begins_tensor_map(const Tokens& tokens, std::size_t at) {
  if (!tokens[at].is_name()) return false;
  std::size_t next = at + 1;
  if (next < tokens.size() && tokens[next].is("[")) next = skip_group(tokens, next);
  return next + 1 < tokens.size() && tokens[next].is("=") && tokens[next + 1].is("tensormap");
}

/// Returns whether `{ global int g[16]; }` begins here.
bool begins_memory(const Tokens& tokens, std::size_t at) {
  return tokens[at].is("{") && at + 1 < tokens.size() && tokens[at + 1].is_any({"global", "shared", "volatile"});
}

bool begins_item(const Tokens& tokens, std::size_t at) {
  const Token& token = tokens[at];
  if (begins_tensor_map(tokens, at) || begins_memory(tokens, at)) return true;
  if (at > 0 && token.is("exists") && tokens[at - 1].is("~")) return false;
  if (at > 0 && token.is("launch") && tokens[at - 1].is_any({"then", "dependent"})) return false;
  if (token.is_any({"then", "dependent"})) return at + 1 < tokens.size() && tokens[at + 1].is("launch");
  if (token.is("~")) return at + 1 < tokens.size() && tokens[at + 1].is("exists");
  return token.is_any({"launch", "exists", "forall", "filter", "expect", "label", "detect"});
}

/// Adds a missing `launch` and `;` to `launch k<<<2, 33>>>(data[1]);`.
Pieces launch_pieces(Tokens tokens, DeviceCode& device) {
  if (tokens.empty()) return {};
  const SourceSpan begin = tokens.front().span;
  const SourceSpan end = tokens.back().span;
  Pieces pieces;
  if (tokens.front().is_any({"then", "dependent"})) {
    pieces.push_back({tokens.front().text, begin, Piece::Kind::Plain, true});
    tokens.erase(tokens.begin());
  }
  if (!tokens.empty() && tokens.front().is("launch")) tokens.erase(tokens.begin());
  pieces.push_back({"launch", begin, Piece::Kind::Plain, true});
  const Pieces rest = device.rewrite(tokens);
  pieces.insert(pieces.end(), rest.begin(), rest.end());
  if (pieces.back().text != ";")
    pieces.push_back({";", {end.line, end.column + end.length, 0}, Piece::Kind::Plain, true});
  return pieces;
}

/// Returns the text of the `ambit:` comments: launches, memory, tensor maps, conditions and expectations. Skips
/// launches if `with_launches` is false.
Pieces annotation_pieces(const Tokens& tokens, bool with_launches, DeviceCode& device) {
  Pieces pieces;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= tokens.size(); ++i) {
    if (i < tokens.size() && !begins_item(tokens, i)) continue;
    const Tokens item = slice(tokens, begin, i);
    begin = i;
    if (item.empty()) continue;
    Pieces made;
    if (item.front().is_any({"launch", "then", "dependent"})) {
      if (with_launches) made = launch_pieces(item, device);
    } else if (begins_tensor_map(item, 0)) {
      made = device.rewrite(item);
      const auto word = std::ranges::find(made, "tensormap", &Piece::text);
      if (word != made.end()) std::rotate(made.begin(), word, word + 1);  // in the grammar, the keyword comes first
    } else if (begins_memory(item, 0)) {
      made = device.rewrite(item);
    } else {
      made = DeviceCode::copy(item);
      const bool named =
          item.front().is("~") || item.front().is("exists") || item.front().is("forall") || item.front().is("filter");
      if (named) device.rewrite(item);  // records the names in the item; the result is not used
    }
    pieces.insert(pieces.end(), made.begin(), made.end());
  }
  return pieces;
}

std::uint32_t count_lines(const std::string& text) {
  return static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n')) + 1;
}

/// Reads the tokens of the launch in the option --launch. Errors refer to the option.
Tokens read_launch_option(const std::string& text, std::uint32_t first_line, Macros& macros, Reporter& reporter) {
  reporter.add_file(std::make_shared<const SourceFile>(SourceFile{"--launch", text}), first_line);
  return macros.expand(read_tokens(text, first_line, reporter));
}

/// Adds declarations of libcu++'s pipelines before the code, if the code uses pipelines. The place of the declarations
/// is the first use of a pipeline.
void add_pipelines(Tokens& code, Reporter& reporter) {
  const auto named = std::ranges::find_if(code, is_pipeline_name);
  if (named == code.end()) return;
  Tokens library = read_tokens(kPipelineText, 1, reporter);
  for (Token& token : library) token.span = named->span;
  code.insert(code.begin(), library.begin(), library.end());
}

/// The file as the host compiler sees it: __CUDA_ARCH__ is not defined.
struct HostView {
  Preprocessed read;
  std::unique_ptr<const Unit> unit;
};

/// Returns the variables, constants and types that host and device share, in the order of the file.
std::vector<const Declaration*> shared_declarations(const Unit& unit) {
  std::vector<const Declaration*> found;
  for (const Declaration& one : unit.declarations()) {
    const bool constant =
        std::any_of(one.tokens.begin(), one.tokens.end(), [](const Token& token) { return token.is("constexpr"); });
    if (one.kind != Declaration::Kind::Host && (!one.is_function || constant)) found.push_back(&one);
  }
  return found;
}

/// Returns the host's view of the file. Errors: brackets do not match; a variable, constant or type differs between
/// host and device.
std::unique_ptr<HostView> host_view(const Tokens& tokens, const ProgramOptions& options, const Unit& device,
                                    Reporter& reporter) {
  auto view = std::make_unique<HostView>();
  Macros macros(reporter);
  define_initial_macros(macros, options.defines, reporter);
  macros.undefine("__CUDA_ARCH__");
  view->read = preprocess(tokens, macros, reporter);
  add_pipelines(view->read.code, reporter);
  if (!mend_brackets(view->read.code, reporter)) return nullptr;
  view->unit = std::make_unique<const Unit>(view->read.code, reporter);
  const std::vector<const Declaration*> ours = shared_declarations(*view->unit);
  const std::vector<const Declaration*> theirs = shared_declarations(device);
  const auto same = [](const Declaration* a, const Declaration* b) {
    return a->kind == b->kind && a->name == b->name &&
           std::ranges::equal(a->tokens, b->tokens, {}, &Token::text, &Token::text);
  };
  const auto [ours_at, theirs_at] = std::ranges::mismatch(ours, theirs, same);
  if (ours_at != ours.end() || theirs_at != theirs.end()) {
    const Declaration& other = ours_at != ours.end() ? **ours_at : **theirs_at;
    reporter.error(
        other.span,
        fmt::format("'{}' has different declarations for host and device: the file tests __CUDA_ARCH__", other.name),
        std::string(kLaunchForm));
  }
  return view;
}

/// Records the variables that kernels use if `stubs` replaces their bodies.
void note_variables(const KernelStubs& stubs, const Unit& unit, DeviceCode& device) {
  for (const std::string& name : stubs.variables) {
    const std::vector<std::size_t> found = unit.find(name);
    if (found.empty()) continue;
    const Declaration& declaration = unit.declarations()[found.front()];
    if (declaration.is_function || declaration.kind != Declaration::Kind::Device) continue;
    device.rewrite({made_token(TokenKind::Name, name, declaration.span)});
  }
}

/// Rewrites the launch and the declarations that the launch needs.
std::optional<LitmusText> lay_out(const SourceFile& source, const Tokens& tokens, const Preprocessed& read,
                                  const Unit& unit, Macros& macros, const ProgramOptions& options,
                                  const KernelStubs* stubs, Reporter& reporter) {
  const std::size_t before = reporter.count();
  const auto failed = [&] { return reporter.count() > before; };
  DeviceCode device(unit, reporter, stubs);
  std::optional<Pieces> launch = Pieces{};
  std::optional<HostLaunches> found;
  std::unique_ptr<HostView> view;
  const bool annotated = std::any_of(read.annotations.begin(), read.annotations.end(),
                                     [](const Token& token) { return token.is("launch"); });
  if (options.launch) {
    const Tokens written = read_launch_option(*options.launch, count_lines(source.text) + 1, macros, reporter);
    check_launch_option(written, unit, reporter);
    if (failed()) return std::nullopt;
    launch = launch_pieces(written, device);
  } else if (!annotated) {
    const bool differs =
        std::any_of(tokens.begin(), tokens.end(), [](const Token& token) { return token.is("__CUDA_ARCH__"); });
    if (differs) view = host_view(tokens, options, unit, reporter);
    if (failed()) return std::nullopt;
    const Unit& host = view ? *view->unit : unit;
    found = find_host_launches(host, (view ? view->read : read).parallel, reporter);
    launch = found ? read_host_launches(*found, host, device, reporter) : std::nullopt;
  }
  const Pieces annotations = annotation_pieces(read.annotations, !options.launch, device);
  if (stubs != nullptr) note_variables(*stubs, unit, device);
  const Pieces declarations = device.finish();
  if (found) check_host_writes(*found, view ? *view->unit : unit, device, reporter);
  if (!launch || failed()) return std::nullopt;
  LitmusText layout;
  layout.text.path = source.path;
  if (stubs != nullptr && !stubs->structs.empty()) add({{stubs->structs, {1, 1, 0}, Piece::Kind::Plain, true}}, layout);
  add(declarations, layout);
  const std::size_t begin = layout.text.text.size();
  add(*launch, layout);
  add(annotations, layout);
  layout.launch = layout.text.text.substr(begin);
  return layout;
}

std::optional<LitmusText> lay_out(const SourceFile& source, const ProgramOptions& options, const KernelStubs* stubs,
                                  Reporter& reporter) {
  Macros macros(reporter);
  define_initial_macros(macros, options.defines, reporter);
  const Tokens tokens = read_tokens(source.text, 1, reporter);
  Preprocessed read = preprocess(tokens, macros, reporter);
  add_pipelines(read.code, reporter);
  if (reporter.has_errors() || !mend_brackets(read.code, reporter)) return std::nullopt;
  const std::size_t mended = reporter.count();
  const Unit unit(read.code, reporter);
  if (reporter.count() > mended) return std::nullopt;
  std::optional<LitmusText> layout = lay_out(source, tokens, read, unit, macros, options, stubs, reporter);
  fill_launch_hints(unit, reporter);
  return layout;
}

}  // namespace

Result<ProgramPtr> read_program(const SourceFilePtr& source, const ProgramOptions& options, litmus::ThreadMaker* maker,
                                const KernelStubs* stubs) {
  Reporter reporter(source);
  const auto program = std::make_shared<Program>();
  program->source = source;
  program->name = std::filesystem::path(source->path).stem().string();
  if (const std::optional<LitmusText> layout = lay_out(*source, options, stubs, reporter)) {
    const TokenOrigins origins(layout->origins, {count_lines(source->text), 1, 0});
    if (const auto file = read_file(layout->text, 0, Part::Body, reporter, &origins)) {
      litmus::assemble(*file, options, *program, reporter, maker);
    }
  }
  if (reporter.has_errors()) return reporter.take();
  return ProgramPtr(program);
}

Result<LitmusText> litmus_text(const SourceFilePtr& source, const ProgramOptions& options) {
  Reporter reporter(source);
  std::optional<LitmusText> layout = lay_out(*source, options, nullptr, reporter);
  if (reporter.has_errors() || !layout) return reporter.take();
  return *std::move(layout);
}

std::string example_launch(const SourceFilePtr& source, const ProgramOptions& options, std::string_view kernel) {
  Reporter reporter(source);
  Macros macros(reporter);
  define_initial_macros(macros, options.defines, reporter);
  Preprocessed read = preprocess(read_tokens(source->text, 1, reporter), macros, reporter);
  if (reporter.has_errors() || !mend_brackets(read.code, reporter)) return {};
  const Unit unit(read.code, reporter);
  for (const Declaration& one : unit.declarations()) {
    if (one.is_kernel && (kernel.empty() || one.name == kernel)) return example_launch(one);
  }
  return {};
}

}  // namespace ambit::parser::cuda
