#include "parser/cuda/launch/host_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "parser/cuda/launch/launch_example.h"

namespace ambit::parser::cuda {
namespace {

std::string text_of(const Tokens& tokens) {
  std::string text;
  for (const Token& token : tokens) text += token.text + " ";
  return text;
}

std::string text_of(const Pieces& pieces) {
  std::string text;
  for (const Piece& piece : pieces) text += piece.text + " ";
  return text;
}

void add(Pieces& pieces, std::string text, SourceSpan span) {
  pieces.push_back({std::move(text), span, Piece::Kind::Plain, true});
}

void append(Pieces& pieces, const Pieces& more) { pieces.insert(pieces.end(), more.begin(), more.end()); }

/// Returns whether a field of the struct, or of a nested struct, has a default initializer that is not zero.
bool has_initial_values(const Unit& unit, std::string_view type, std::set<std::size_t>& seen) {
  for (const std::size_t found : unit.find(type.substr(0, type.find('<')))) {
    const Declaration& declaration = unit.declarations()[found];
    if (declaration.kind != Declaration::Kind::Struct || !seen.insert(found).second) continue;
    const Tokens& tokens = declaration.tokens;
    for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
      const bool braces = tokens[i].is("{") && tokens[i - 1].is_name() && !tokens[i - 1].is("const") &&
                          !tokens[i - 1].is("noexcept") && !tokens[i - 1].is("override") && !tokens[i + 1].is("}");
      const Token& value = tokens[i + 1];
      const bool zero = value.is_any({"0", "default", "delete", "false"});
      if ((braces || tokens[i].is("=")) && !zero) return true;
      if (tokens[i].is("(") || tokens[i].is("{")) i = skip_group(tokens, i) - 1;
    }
    for (const Token& token : tokens) {
      if (token.is_name() && has_initial_values(unit, token.text, seen)) return true;
    }
  }
  return false;
}

}  // namespace

bool HostMemory::fail(SourceSpan span, std::string message, std::string hint) {
  failed_ = true;
  reporter_.error(span, std::move(message), std::move(hint));
  return false;
}

std::vector<Tokens> HostMemory::arguments(const HostArgument& call) const {
  return split_at_commas(slice(function_.code(), call.open + 1, function_.partner(call.open)));
}

bool HostMemory::calls_any_of(const HostArgument& call, std::initializer_list<std::string_view> names) const {
  return std::any_of(names.begin(), names.end(), [&](std::string_view name) { return uses_.calls(call, name); });
}

void HostMemory::declare(const Token& name, std::size_t declared, const Pieces& parameter) {
  if (!declared_.emplace(declared, launches_.size() - 1).second) {
    is_kept(name, declared, parameter);
    return;
  }
  Pointer pointer;
  pointer.name = name.text;
  pointer.declared = declared;
  for (const Piece& piece : parameter) {
    if (piece.text == "*" || piece.text == "[") break;
    if (piece.text != "const" && piece.text != "volatile") pointer.type.push_back(piece);
  }
  pointer.is_opaque = pointer.type.size() == 1 && is_floating_word(pointer.type.front().text);
  if (!find_allocation(name, pointer)) return;
  for (const Piece& piece : pointer.type) {
    std::set<std::size_t> seen;
    if (!has_initial_values(unit_, piece.text, seen)) continue;
    fail(name.span,
         fmt::format("the fields of '{}' have initial values, but the allocation of '{}' does not write them",
                     piece.text, name.text));
    return;
  }
  for (const std::size_t place : function_.places(name.text)) {
    if (place <= declared || place >= end_ || function_.declaration(name.text, place) != declared) continue;
    if (!read_use(place, pointer)) return;
  }
  emit(name, pointer);
}

void HostMemory::begin_launch(std::size_t name, std::size_t end) {
  end_ = name;
  launches_.push_back({name, end});
}

/// Returns whether the host code leaves the memory unchanged between the first launch that receives the memory and the
/// current launch. Ignores copies to floating-point memory, because Ambit does not compute floating-point values.
bool HostMemory::is_kept(const Token& name, std::size_t declared, const Pieces& parameter) {
  const bool is_opaque =
      std::any_of(parameter.begin(), parameter.end(), [](const Piece& piece) { return is_floating_word(piece.text); });
  const Range& first = launches_[declared_.at(declared)];
  for (const std::size_t place : function_.places(name.text)) {
    if (place < first.begin || place >= end_ || function_.declaration(name.text, place) != declared) continue;
    const bool is_passed = std::any_of(launches_.begin(), launches_.end(),
                                       [&](const Range& range) { return range.begin <= place && place < range.end; });
    if (is_passed || uses_.is_unevaluated(place) || uses_.is_null_test(place) || uses_.is_read(place, true)) continue;
    if (is_opaque && function_.at(place + 1).is("[")) continue;
    const std::optional<HostArgument> call = uses_.argument(place);
    const bool copies =
        call && call->whole && !call->address &&
        calls_any_of(*call, {"cudaMemcpy", "cudaMemcpyAsync", "memcpy", "cudaMemset", "cudaMemsetAsync"});
    if (call && (uses_.is_printed(*call) || (copies && (call->index == 1 || is_opaque)))) continue;
    if (call && calls_any_of(*call, {"cudaMemPrefetchAsync", "cudaMemAdvise"})) continue;
    return fail(function_.at(place).span, fmt::format("host code between the launches may change '{}'", name.text),
                fmt::format("check the launches one by one: --launch '{}'", kExampleLaunch));
  }
  return true;
}

bool HostMemory::find_allocation(const Token& name, Pointer& pointer) {
  std::optional<HostArgument> allocation;
  for (const std::size_t place : function_.places(name.text)) {
    if (place >= end_ || function_.declaration(name.text, place) != pointer.declared) continue;
    const std::optional<HostArgument> call = uses_.argument(place);
    const bool allocates =
        call && call->index == 0 && call->address && call->whole &&
        calls_any_of(*call, {"cudaMalloc", "cudaMallocManaged", "cudaMallocAsync", "cudaMallocHost", "cudaHostAlloc"});
    if (!allocates) continue;
    if (allocation) {
      return fail(function_.at(call->callee).span, fmt::format("'{}' is allocated twice before the launch", name.text));
    }
    allocation = call;
  }
  if (!allocation) return fail(name.span, fmt::format("found no cudaMalloc of '{}' before the launch", name.text));
  const std::vector<Tokens> parts = arguments(*allocation);
  if (parts.size() < 2 || parts[1].empty()) {
    return fail(name.span, fmt::format("the allocation of '{}' has no size", name.text));
  }
  if (!function_.runs_before(allocation->callee, end_, true)) {
    return fail(function_.at(allocation->callee).span,
                fmt::format("this allocation of '{}' might not run exactly once before the launch", name.text));
  }
  pointer.allocation = allocation->callee;
  pointer.bytes = parts[1];
  return true;
}

void HostMemory::emit(const Token& name, const Pointer& pointer) {
  const Tokens size = values_.substitute(pointer.bytes, pointer.allocation);
  const SourceSpan at = pointer.bytes.front().span;
  add(memory_, "__device__", name.span);
  append(memory_, pointer.type);
  add(memory_, name.text, name.span);
  add(memory_, "[", at);
  add(memory_, "(", at);
  append(memory_, device_.rewrite(size));
  for (const char* text : {")", "/", "sizeof", "("}) add(memory_, text, at);
  append(memory_, pointer.type);
  add(memory_, ")", at);
  add(memory_, "]", at);
  if (pointer.holds) {
    const SourceSpan span = pointer.holds->front().span;
    add(memory_, "=", span);
    add(memory_, "{", span);
    append(memory_, *pointer.holds);
    if (pointer.repeats) {
      add(memory_, ",", span);
      add(memory_, "...", span);
    }
    add(memory_, "}", span);
  }
  add(memory_, ";", at);
}

/// Checks one use of the pointer. If the use may change the pointer or the memory in an unsupported way, reports an
/// error and returns false.
bool HostMemory::read_use(std::size_t place, Pointer& pointer) {
  const Token& token = function_.at(place);
  if (uses_.is_unevaluated(place) || uses_.is_null_test(place) || uses_.is_read(place, true)) return true;
  // the use of an element does not change the pointer
  if (pointer.is_opaque && function_.at(place + 1).is("[")) return true;
  if (const std::optional<HostArgument> call = uses_.argument(place)) {
    if (call->callee == pointer.allocation) return true;
    if (!call->address && call->whole) {
      const std::size_t errors = reporter_.count();
      if (read_call(*call, pointer)) return true;
      if (reporter_.count() != errors) return false;
    }
  }
  if (uses_.stores_zero(place, true)) {
    if (!pointer.holds) return true;
    return fail(token.span, fmt::format("only the whole of '{}' can be set", pointer.name));
  }
  const Token& value = function_.at(place + 2);
  const bool pointer_set = function_.at(place + 1).is("=") && !function_.at(place - 1).is("*");
  const bool null = value.is_any({"nullptr", "NULL", "0"});
  if (pointer_set && place < pointer.allocation && null && function_.at(place + 3).is(";")) return true;
  return fail(token.span,
              fmt::format("unsupported use of '{}' in host code: its target and contents at the launch are not known",
                          pointer.name));
}

/// Returns whether Ambit supports the call. Returns false after an error, too.
bool HostMemory::read_call(const HostArgument& call, Pointer& pointer) {
  if (uses_.is_printed(call)) return true;
  if (call.index == 0 && calls_any_of(call, {"cudaFree", "cudaFreeAsync", "cudaFreeHost", "free",
                                             "cudaMemPrefetchAsync", "cudaMemAdvise"})) {
    return true;
  }
  // the pointer points to the tensor that a tensor map describes
  if (call.index == 3 && calls_any_of(call, {"cuTensorMapEncodeTiled"})) return true;
  if (call.index == 1 && calls_any_of(call, {"cudaStreamAttachMemAsync", "cudaPointerGetAttributes"})) return true;
  if (call.index > 1 || arguments(call).size() < 3) return false;
  if (pointer.is_opaque &&
      calls_any_of(call, {"cudaMemcpy", "cudaMemcpyAsync", "memcpy", "cudaMemset", "cudaMemsetAsync", "memset"})) {
    return true;
  }
  if (calls_any_of(call, {"cudaMemcpy", "cudaMemcpyAsync", "memcpy"})) {
    return call.index == 1 || memory_copy(call, pointer);
  }
  return call.index == 0 && calls_any_of(call, {"cudaMemset", "cudaMemsetAsync", "memset"}) &&
         memory_set(call, pointer);
}

void HostMemory::set_stream(const Tokens& stream) {
  if (!stream.empty()) stream_ = text_of(stream);
}

/// Returns whether the file may create streams that do not wait for the default stream.
bool HostMemory::has_nonblocking_streams() const {
  const std::vector<Declaration>& all = unit_.declarations();
  return std::any_of(all.begin(), all.end(), [](const Declaration& one) {
    return std::any_of(one.tokens.begin(), one.tokens.end(), [](const Token& token) {
      return token.is("cudaStreamNonBlocking") || token.is("CU_STREAM_NON_BLOCKING");
    });
  });
}

/// Returns whether the call completes before the kernel starts: the call is synchronous, is in the launch's stream, is
/// ordered by the default stream, or is followed by a wait of the host.
bool HostMemory::is_waited_for(const HostArgument& call) const {
  const std::string& name = function_.at(call.callee).text;
  const bool ordered = name == "memset" || name == "memcpy" || stream_ == "0 " || !has_nonblocking_streams();
  if (!name.ends_with("Async") && ordered) return true;
  const std::vector<Tokens> parts = arguments(call);
  const std::size_t stream = name == "cudaMemcpyAsync" ? 4 : 3;
  const bool given = name.ends_with("Async") && parts.size() > stream;
  if ((given ? text_of(parts[stream]) : "0 ") == stream_) return true;
  for (const char* wait : {"cudaDeviceSynchronize", "cudaStreamSynchronize"}) {
    for (const std::size_t place : function_.places(wait)) {
      if (place > call.callee && place < end_ && function_.runs_before(place, end_, false)) return true;
    }
  }
  return false;
}

/// Checks that the writes of this call complete before the launch.
bool HostMemory::check_write(const HostArgument& call, const Pointer& pointer) {
  const Token& callee = function_.at(call.callee);
  if (call.callee < pointer.allocation) {
    return fail(callee.span, fmt::format("this call writes to '{}' before its allocation", pointer.name));
  }
  if (!is_waited_for(call)) {
    return fail(callee.span, "this call runs in another stream and might not have completed at the launch",
                "wait for it with cudaStreamSynchronize, or launch in the same stream");
  }
  if (function_.runs_before(call.callee, end_, false)) return true;
  return fail(
      callee.span,
      fmt::format("this might not run exactly once before the launch: the contents of '{}' are unknown", pointer.name));
}

bool HostMemory::is_same_size(const Tokens& a, std::size_t at_a, const Tokens& b, std::size_t at_b) {
  if (text_of(values_.substitute(a, at_a)) == text_of(values_.substitute(b, at_b))) return !values_.failed();
  const std::optional<std::int64_t> bytes_a = values_.bytes(a, at_a);
  const std::optional<std::int64_t> bytes_b = values_.bytes(b, at_b);
  return bytes_a && bytes_a == bytes_b;
}

bool HostMemory::memory_set(const HostArgument& call, Pointer& pointer) {
  const Token& callee = function_.at(call.callee);
  const std::vector<Tokens> parts = arguments(call);
  if (parts[1].empty() || parts[2].empty()) return fail(callee.span, "this call has an empty argument");
  const Tokens value = values_.substitute(parts[1], call.callee);
  const std::optional<std::int64_t> number =
      value.empty() ? std::nullopt : device_.constant(value, "value of the memory");
  if (!number) return fail(callee.span, "the value of this call is not a constant");
  const std::int64_t byte = *number & 0xff;
  if (byte == 0 && !pointer.holds) return true;  // the memory already contains zeros
  if (byte != 0 && byte != 0xff) {
    return fail(parts[1].front().span, fmt::format("{} is supported only with the values 0 and 0xff", callee.text));
  }
  if (!check_write(call, pointer)) return false;
  if (!is_same_size(parts[2], call.callee, pointer.bytes, pointer.allocation)) {
    return fail(parts[2].front().span, "only the whole allocation can be set",
                "write the same size as in the allocation");
  }
  pointer.holds.reset();
  if (byte == 0) return true;
  const SourceSpan span = parts[1].front().span;
  pointer.holds.emplace();
  add(*pointer.holds, "-", span);
  add(*pointer.holds, "1", span);
  pointer.repeats = true;
  return true;
}

/// Returns the host variable that a cudaMemcpy copies: `h` or `&h[0]` for an array, `&h` for a scalar.
std::optional<std::size_t> HostMemory::copied_variable(const HostArgument& call) const {
  const std::vector<Tokens> parts = arguments(call);
  if (parts.size() > 1 && parts[1].size() == 5 && parts[1][1].is(".") && parts[1][2].is("data")) {  // h.data()
    const std::optional<std::size_t> declared = function_.declaration(parts[1][0].text, call.callee);
    return declared && HostArrays::vector_element(function_, *declared) ? declared : std::nullopt;
  }
  for (std::size_t i = call.open + 1; i < function_.partner(call.open); ++i) {
    if (!function_.at(i).is_name()) continue;
    const std::optional<HostArgument> passed = uses_.argument(i);
    if (!passed || passed->open != call.open || passed->index != 1) continue;
    const bool first = passed->address && function_.at(i + 1).is("[") && function_.at(i + 2).is("0") &&
                       function_.partner(i + 1) == i + 3 && !function_.at(i + 4).is("[");  // &h[0]
    if (!passed->whole && !first) continue;
    const std::optional<std::size_t> declared = function_.declaration(function_.at(i).text, i);
    if (!declared) return std::nullopt;
    const bool array = function_.at(*declared + 1).is("[");
    if (first && HostArrays::vector_element(function_, *declared)) return declared;
    return array || (passed->address && !first) ? declared : std::nullopt;
  }
  return std::nullopt;
}

/// Returns whether the variable and the pointer have integer elements of the same size, or elements of the same struct.
bool HostMemory::has_elements_of(std::size_t declared, const Pointer& pointer) {
  const std::optional<Tokens> element = HostArrays::vector_element(function_, declared);
  const Tokens words = element ? *element : function_.type_of(declared);
  Tokens wanted;
  for (const Piece& piece : pointer.type) wanted.push_back(made_token(TokenKind::Name, piece.text, piece.span));
  const std::optional<HostType> host = values_.type(words);
  const std::optional<HostType> kernel = host_type(wanted);
  if (!host || !kernel) return text_of(device_.rewrite(words)) == text_of(pointer.type);
  return host->is_integer() && kernel->is_integer() && host->bytes == kernel->bytes &&
         host->is_bool() == kernel->is_bool();
}

/// Returns the size in bytes of a host variable: sizeof(h), or the length of a vector times sizeof(T).
Tokens HostMemory::measure(std::size_t declared, SourceSpan span) {
  Tokens size = {made_token(TokenKind::Name, "sizeof", span), made_token(TokenKind::Punctuator, "(", span)};
  const std::optional<Tokens> element = HostArrays::vector_element(function_, declared);
  if (element) {
    size.insert(size.end(), element->begin(), element->end());
  } else {
    size.push_back(made_token(TokenKind::Name, function_.at(declared).text, span));
  }
  size.push_back(made_token(TokenKind::Punctuator, ")", span));
  if (element) {
    size.push_back(made_token(TokenKind::Punctuator, "*", span));
    size.push_back(made_token(TokenKind::Number, std::to_string(arrays_.length(declared).value_or(0)), span));
  }
  return size;
}

/// Reads the call cudaMemcpy(d, h, ...), which copies a host variable with constant contents.
bool HostMemory::memory_copy(const HostArgument& call, Pointer& pointer) {
  const Token& callee = function_.at(call.callee);
  const std::vector<Tokens> parts = arguments(call);
  if (parts[1].empty() || parts[2].empty()) return fail(callee.span, "this call has an empty argument");
  const bool to_device =
      parts.size() == 3 ||
      (parts[3].size() == 1 && (parts[3][0].is("cudaMemcpyHostToDevice") || parts[3][0].is("cudaMemcpyDefault")));
  if (!to_device) return fail(callee.span, fmt::format("this does not copy from the host to '{}'", pointer.name));
  if (!check_write(call, pointer)) return false;
  const std::optional<std::size_t> source = copied_variable(call);
  std::optional<Tokens> value = source ? values_.contents(*source) : std::nullopt;
  if (source && !value) value = arrays_.contents(*source, call.callee);
  if (!value || value->empty()) {
    return fail(callee.span, "this copies host memory whose contents are not constant");
  }
  const std::string& name = function_.at(*source).text;
  if (!has_elements_of(*source, pointer)) {
    return fail(callee.span,
                fmt::format("'{}' and the kernel's '{}' have elements of different types", name, pointer.name));
  }
  const SourceSpan span = parts[2].front().span;
  const Tokens measured = measure(*source, span);
  if (!is_same_size(parts[2], call.callee, pointer.bytes, pointer.allocation) ||
      !is_same_size(parts[2], call.callee, measured, call.callee)) {
    return fail(span, fmt::format("only the whole of '{}' can be copied to the whole of '{}'", name, pointer.name),
                "write the same size as in the allocation");
  }
  pointer.holds = device_.rewrite(*value);
  pointer.repeats = false;
  return true;
}

}  // namespace ambit::parser::cuda
