#include "parser/cuda_host.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <utility>

#include "parser/cuda_host_values.h"

namespace ambit::parser::cuda {
namespace {

bool is_allocation(const Token& token) {
  return token.is("cudaMalloc") || token.is("cudaMallocManaged") || token.is("cudaMallocAsync") ||
         token.is("cudaMallocHost") || token.is("cudaHostAlloc");
}

bool is_launch_function(const Token& token) {
  return token.is("cudaLaunchKernel") || token.is("cudaLaunchCooperativeKernel") || token.is("cudaLaunchKernelEx") ||
         token.is("cudaLaunchKernelExC") || token.is("cuLaunchKernel");
}

std::string text_of(const Tokens& tokens) {
  std::string text;
  for (const Token& token : tokens) text += token.text + " ";
  return text;
}

/// A launch in a host function.
struct HostLaunch {
  const Tokens* code = nullptr;  ///< of the function
  std::size_t name = 0;          ///< index of the kernel's name
  std::size_t open = 0;          ///< of <<<
  bool in_loop = false;
};

/// Finds launches and whether a loop is around them.
class LaunchFinder {
 public:
  explicit LaunchFinder(const Tokens& code) : code_(code) {}

  std::vector<HostLaunch> find() {
    for (std::size_t i = 0; i < code_.size(); ++i) {
      const Token& token = code_[i];
      if (token.is("for") || token.is("while") || token.is("do")) {
        enter_loop(i);
      } else if (token.is("<<<") && i > 0) {
        found_.push_back({&code_, name_before(i), i, i < loop_end_});
      }
    }
    return std::move(found_);
  }

 private:
  void enter_loop(std::size_t at) {
    std::size_t body = at + 1;
    if (!code_[at].is("do") && body < code_.size()) body = skip_group(code_, body);
    std::size_t end = body;
    if (body < code_.size() && code_[body].is("{")) {
      end = skip_group(code_, body);
      const bool once = code_[at].is("do") && end + 3 < code_.size() && code_[end].is("while") &&
                        (code_[end + 2].is("0") || code_[end + 2].is("false"));  // a macro's do { } while (0)
      if (once) return;
    } else {
      while (end < code_.size() && !code_[end].is(";")) {
        const bool opens = code_[end].is("(") || code_[end].is("{");
        end = opens ? skip_group(code_, end) : end + 1;
      }
    }
    loop_end_ = std::max(loop_end_, end);
  }

  std::size_t name_before(std::size_t open) const {
    std::size_t i = open - 1;
    if (code_[i].is(">")) {
      std::size_t depth = 0;
      for (; i > 0; --i) {
        if (code_[i].is(">")) ++depth;
        if (code_[i].is("<") && --depth == 0) break;
      }
      if (i > 0) --i;
    }
    return i;
  }

  const Tokens& code_;
  std::vector<HostLaunch> found_;
  std::size_t loop_end_ = 0;
};

/// Reads one launch in its host function.
class LaunchReader {
 public:
  LaunchReader(const HostLaunch& launch, const Unit& unit, DeviceCode& device, litmus::Reporter& reporter)
      : code_(*launch.code),
        launch_(launch),
        unit_(unit),
        device_(device),
        reporter_(reporter),
        values_(code_, launch.name, reporter) {}

  std::optional<Pieces> read() {
    const std::size_t close = find_close();
    if (close == code_.size() || close + 1 >= code_.size() || !code_[close + 1].is("(")) {
      reporter_.error(code_[launch_.open].span, "this launch is not closed: expected '>>>' and the arguments");
      return std::nullopt;
    }
    const Pieces kernel = device_.rewrite(slice(code_, launch_.name, launch_.open));
    if (kernel.size() != 1) {
      fail(code_[launch_.open].span, "the name of a kernel is expected before '<<<'");
      return std::nullopt;
    }
    Tokens dimensions = expand_sizes(slice(code_, launch_.open + 1, close));
    Pieces arguments;
    const std::vector<Tokens> written = split_at_commas(slice(code_, close + 2, skip_group(code_, close + 1) - 1));
    for (std::size_t i = 0; i < written.size(); ++i) {
      if (i > 0) add(arguments, ",", written[i].empty() ? code_[close].span : written[i].front().span);
      argument(written[i], device_.kernel_parameter(kernel.front().text, i), arguments);
    }
    Pieces result = std::move(memory_);
    const SourceSpan at = code_[launch_.name].span;
    add(result, "launch", at);
    result.push_back(kernel.front());
    add(result, "<<<", code_[launch_.open].span);
    append(result, device_.rewrite(dimensions));
    add(result, ">>>", code_[close].span);
    add(result, "(", code_[close + 1].span);
    append(result, arguments);
    add(result, ")", code_[close + 1].span);
    add(result, ";", code_[close + 1].span);
    if (failed_ || values_.failed()) return std::nullopt;
    return result;
  }

 private:
  static void add(Pieces& pieces, std::string text, SourceSpan span) {
    pieces.push_back({std::move(text), span, Piece::Kind::Plain, true});
  }
  static void append(Pieces& pieces, const Pieces& more) { pieces.insert(pieces.end(), more.begin(), more.end()); }

  void fail(SourceSpan span, std::string message, std::string hint = std::string(kLaunchForm)) {
    failed_ = true;
    reporter_.error(span, std::move(message), std::move(hint));
  }

  std::size_t find_close() const {
    std::size_t i = launch_.open + 1;
    while (i < code_.size() && !code_[i].is(">>>")) {
      const bool opens = code_[i].is("(") || code_[i].is("{") || code_[i].is("[");
      i = opens ? skip_group(code_, i) : i + 1;
    }
    return i;
  }

  /// Without what a launch has no use for: a size of 0 bytes of shared memory, the stream.
  Tokens expand_sizes(const Tokens& written) {
    std::vector<Tokens> parts = split_at_commas(written);
    if (parts.size() > 3) parts.resize(3);
    if (parts.size() == 3 && parts[2].size() == 1 && parts[2][0].is("0")) parts.pop_back();
    Tokens result;
    for (const Tokens& part : parts) {
      if (!result.empty())
        result.push_back(made_token(TokenKind::Punctuator, ",", part.empty() ? SourceSpan{} : part[0].span));
      const Tokens constant = values_.substitute(part);
      result.insert(result.end(), constant.begin(), constant.end());
    }
    return result;
  }

  /// Takes a cast to a pointer off.
  static Tokens without_cast(Tokens tokens) {
    if (!tokens.empty() && tokens[0].is("(")) {
      const std::size_t behind = skip_group(tokens, 0);
      if (behind < tokens.size() && behind > 2 && tokens[behind - 2].is("*"))
        return slice(tokens, behind, tokens.size());
      if (behind == tokens.size() && behind > 2) return without_cast(slice(tokens, 1, behind - 1));
    }
    const bool named_cast = tokens.size() > 3 && tokens[0].text.ends_with("_cast") && tokens[1].is("<");
    if (named_cast) {
      const std::size_t open = skip_angles(tokens, 1);
      if (open < tokens.size() && tokens[open].is("(")) return slice(tokens, open + 1, skip_group(tokens, open) - 1);
    }
    return tokens;
  }

  void argument(const Tokens& written, const std::optional<Pieces>& parameter, Pieces& arguments) {
    const bool pointer = parameter && std::any_of(parameter->begin(), parameter->end(), [](const Piece& piece) {
                           return piece.text == "*" || piece.text == "[";
                         });
    if (!pointer) return append(arguments, device_.rewrite(values_.substitute(written)));
    const Tokens passed = without_cast(written);
    const bool name = passed.size() == 1 && passed[0].is_name();
    const std::optional<std::size_t> local = name ? values_.variable(passed[0].text) : std::nullopt;
    if (!local) {
      if (name && unit_.find(passed[0].text).empty()) {
        fail(passed[0].span, fmt::format("'{}' is not memory that this function allocates", passed[0].text));
        return;
      }
      return append(arguments, device_.rewrite(passed));  // a __managed__ or __device__ variable, or reported later
    }
    allocate(passed[0], *parameter);
    add(arguments, passed[0].text, passed[0].span);
  }

  /// `__device__ T d[(bytes) / sizeof(T)] = {...};` for the memory that a host pointer was given.
  void allocate(const Token& name, const Pieces& parameter) {
    if (!allocated_.insert(name.text).second) return;
    Pieces type;
    for (const Piece& piece : parameter) {
      if (piece.text == "*" || piece.text == "[") break;
      if (piece.text != "const" && piece.text != "volatile") type.push_back(piece);
    }
    std::optional<Tokens> bytes;
    for (std::size_t i = 0; i < launch_.name; ++i) {
      if (!is_allocation(code_[i]) || !code_[i + 1].is("(")) continue;
      const std::vector<Tokens> parts = split_at_commas(slice(code_, i + 2, skip_group(code_, i + 1) - 1));
      if (parts.size() < 2 || parts[0].empty() || !names(parts[0], name.text)) continue;
      if (bytes) return fail(code_[i].span, fmt::format("'{}' is allocated twice before the launch", name.text));
      bytes = parts[1];
    }
    if (!bytes) {
      return fail(name.span, fmt::format("no cudaMalloc of '{}' was found before the launch", name.text));
    }
    const Tokens size = values_.substitute(*bytes);
    if (bytes->empty()) return fail(name.span, fmt::format("the size of '{}' is missing", name.text));
    const SourceSpan at = bytes->front().span;
    add(memory_, "__device__", name.span);
    append(memory_, type);
    add(memory_, name.text, name.span);
    add(memory_, "[", at);
    add(memory_, "(", at);
    append(memory_, device_.rewrite(size));
    add(memory_, ")", at);
    add(memory_, "/", at);
    add(memory_, "sizeof", at);
    add(memory_, "(", at);
    append(memory_, type);
    add(memory_, ")", at);
    add(memory_, "]", at);
    initialize(name.text, *bytes);
    add(memory_, ";", at);
  }

  /// `& d` or `( void * * ) & d`.
  static bool names(const Tokens& tokens, std::string_view name) {
    const std::size_t count = tokens.size();
    return count >= 1 && tokens[count - 1].is(name) && (count == 1 || tokens[count - 2].is("&"));
  }

  /// What the host writes to the memory before the launch: only cudaMemset to 0 or 0xff, a copy of a constant array,
  /// and plain zeros are understood.
  void initialize(const std::string& name, const Tokens& bytes) {
    filled_ = false;
    for (std::size_t i = 0; i + 1 < launch_.name; ++i) {
      const Token& token = code_[i];
      if (token.is_name() && code_[i + 1].is("(")) {
        const std::vector<Tokens> parts = split_at_commas(slice(code_, i + 2, skip_group(code_, i + 1) - 1));
        if (parts.size() < 3 || !(parts[0].size() == 1 && parts[0][0].is(name))) continue;
        if (token.text.find("emset") != std::string::npos) memory_set(token, parts, bytes);
        if (token.text.find("emcpy") != std::string::npos) memory_copy(token, parts);
      } else if (token.is(name) && writes_through(i)) {
        fail(token.span, fmt::format("the host writes to '{}' before the launch: what it holds is not known", name));
      }
    }
  }

  /// `d[i] = e`, `*d = e` with another e than 0.
  bool writes_through(std::size_t at) const {
    std::size_t behind = at + 1;
    const bool starred =
        at > 0 && code_[at - 1].is("*") &&
        (at < 2 || code_[at - 2].is(";") || code_[at - 2].is("{") || code_[at - 2].is("}") || code_[at - 2].is(")"));
    if (code_[behind].is("[")) {
      behind = skip_group(code_, behind);
      while (behind + 1 < code_.size() && code_[behind].is(".")) behind += 2;
    } else if (code_[behind].is("->")) {
      behind += 2;
    } else if (!starred) {
      return false;
    }
    if (behind + 2 >= code_.size()) return false;
    const Token& op = code_[behind];
    if (op.is("=")) return !(code_[behind + 1].is("0") && code_[behind + 2].is(";"));
    return is_compound_assignment(op) || op.is("++") || op.is("--");
  }

  void fill(const Tokens& values, SourceSpan span, bool repeat) {
    if (std::exchange(filled_, true)) return fail(span, "this memory is written twice by the host before the launch");
    add(memory_, "=", span);
    add(memory_, "{", span);
    append(memory_, device_.rewrite(values));
    if (repeat) {
      add(memory_, ",", span);
      add(memory_, "...", span);
    }
    add(memory_, "}", span);
  }

  void memory_set(const Token& function, const std::vector<Tokens>& parts, const Tokens& bytes) {
    const Tokens value = values_.substitute(parts[1]);
    const std::optional<std::int64_t> number =
        value.empty() ? std::nullopt : device_.constant(value, "value of the memory");
    if (!number) return fail(function.span, "the value that this sets is not a constant");
    if (*number == 0) return;
    if (parts[2].empty()) return fail(function.span, "this call has an empty argument");
    if ((*number & 0xff) != 0xff) {
      return fail(parts[1].front().span, fmt::format("{} is understood with 0 and 0xff only", function.text));
    }
    if (text_of(parts[2]) != text_of(bytes)) {
      return fail(parts[2].front().span, "only the whole of what was allocated can be set",
                  "write the same size as in the allocation");
    }
    const SourceSpan span = parts[1].front().span;
    fill({made_token(TokenKind::Punctuator, "-", span), made_token(TokenKind::Number, "1", span)}, span, true);
  }

  /// cudaMemcpy(d, h, ...) of a host variable whose initialiser is constant.
  void memory_copy(const Token& function, const std::vector<Tokens>& parts) {
    const Tokens& source = parts[1];
    if (source.empty()) return fail(function.span, "this call has an empty argument");
    const Token& name = source.back();
    const std::optional<std::size_t> local = name.is_name() ? values_.variable(name.text) : std::nullopt;
    std::optional<Tokens> value;
    if (local && (source.size() == 1 || (source.size() == 2 && source[0].is("&")))) {
      const bool array = code_[*local + 1].is("[");
      const std::size_t behind = array ? skip_group(code_, *local + 1) : *local + 1;
      Tokens shifted = slice(code_, behind - 1, launch_.name);
      value = initializer_of(shifted, 0);
      if (value && !value->empty() && value->front().is("{")) value = slice(*value, 1, value->size() - 1);
      if (!values_.unchanged(*local, name.text)) value.reset();
    }
    if (!value || value->empty()) {
      return fail(function.span, "this copies host memory whose contents are not constant");
    }
    fill(values_.substitute(*value), function.span, false);
  }

  const Tokens& code_;
  const HostLaunch& launch_;
  const Unit& unit_;
  DeviceCode& device_;
  litmus::Reporter& reporter_;
  HostValues values_;
  Pieces memory_;
  std::set<std::string> allocated_;
  bool filled_ = false;
  bool failed_ = false;
};

}  // namespace

std::optional<Pieces> read_host_launch(const Unit& unit, DeviceCode& device, litmus::Reporter& reporter) {
  std::vector<HostLaunch> launches;
  const Token* copied_symbol = nullptr;
  const Declaration* kernel = nullptr;
  for (const Declaration& declaration : unit.declarations()) {
    if (declaration.is_kernel && kernel == nullptr) kernel = &declaration;
    if (declaration.kind != Declaration::Kind::Host) continue;
    for (HostLaunch& launch : LaunchFinder(declaration.tokens).find()) launches.push_back(launch);
    for (const Token& token : declaration.tokens) {
      if (is_launch_function(token)) {
        reporter.error(token.span, fmt::format("launches by {} are not read", token.text), std::string(kLaunchForm));
        return std::nullopt;
      }
      if (token.is("cudaMemcpyToSymbol") && copied_symbol == nullptr) copied_symbol = &token;
    }
  }
  if (launches.empty()) {
    reporter.error(kernel == nullptr ? SourceSpan{1, 1, 0} : kernel->span,
                   kernel == nullptr ? "there is no __global__ function in this file"
                                     : fmt::format("no launch of the kernel '{}' was found", kernel->name),
                   kernel == nullptr ? ""
                                     : fmt::format("give one: --launch '{0}<<<2, 33>>>(data[1])', or a comment "
                                                   "// ambit: launch {0}<<<2, 33>>>(data[1]);",
                                                   kernel->name));
    return std::nullopt;
  }
  const HostLaunch& launch = launches.front();
  if (launches.size() > 1) {
    reporter.error(
        (*launches[1].code)[launches[1].name].span,
        fmt::format("the host code launches {} kernels one after the other; one launch is checked", launches.size()),
        "choose with --launch 'kernel<<<2, 33>>>(data[1])', or // ambit: launch ...;");
    return std::nullopt;
  }
  if (launch.in_loop) {
    reporter.error((*launch.code)[launch.name].span, "this launch stands in a loop: there may be several",
                   std::string(kLaunchForm));
    return std::nullopt;
  }
  if (copied_symbol != nullptr) {
    reporter.error(copied_symbol->span, "cudaMemcpyToSymbol is not read: what the variable holds is not known",
                   std::string(kLaunchForm));
    return std::nullopt;
  }
  return LaunchReader(launch, unit, device, reporter).read();
}

}  // namespace ambit::parser::cuda
