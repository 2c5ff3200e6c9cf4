#include "model/repair/cuda_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/trimmed.h"
#include "core/ptx_mapping.h"
#include "model/repair/call_text.h"

namespace ambit::repair {
namespace {

constexpr std::string_view kFence = "__threadfence";

/// Returns "_block", "" or "_system". CUDA's own atomics and fences have only these three suffixes and scopes.
std::optional<std::string_view> suffix_of(Scope scope) {
  switch (scope) {
    case Scope::Block: return "_block";
    case Scope::Device: return "";
    case Scope::System: return "_system";
    case Scope::Thread:
    case Scope::Cluster: return std::nullopt;
  }
  return std::nullopt;
}

/// If the name is one of CUDA's own atomics or fences, returns the name without its scope suffix.
std::optional<std::string_view> plain_name(std::string_view name) {
  static constexpr std::array<std::string_view, 12> kNames = {kFence,      "atomicAdd", "atomicSub", "atomicExch",
                                                              "atomicMin", "atomicMax", "atomicInc", "atomicDec",
                                                              "atomicAnd", "atomicOr",  "atomicXor", "atomicCAS"};
  for (const std::string_view suffix : {"_block", "_system"}) {
    if (name.ends_with(suffix)) name.remove_suffix(suffix.size());
  }
  return std::find(kNames.begin(), kNames.end(), name) == kNames.end() ? std::nullopt : std::optional(name);
}

/// Returns the part of an argument that names a scope or an order: "block" for "cuda::thread_scope_block".
template <typename Read>
std::string_view named(std::string_view argument, std::string_view prefix, Read read) {
  const std::size_t colon = argument.rfind("::");
  std::string_view word = colon == std::string_view::npos ? argument : argument.substr(colon + 2);
  if (word.starts_with(prefix)) word.remove_prefix(prefix.size());
  return read(word) ? word : std::string_view();
}
std::string_view scope_word(std::string_view argument) {
  return scope_from_ptx(argument) ? argument : named(argument, "thread_scope_", scope_from_string);
}
std::string_view order_word(std::string_view argument) { return named(argument, "memory_order_", order_from_string); }

/// Returns the position of the `=` of an assignment at the top level of the text; npos if the text has no assignment.
std::size_t assignment_in(std::string_view text) {
  int open = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '(' || text[at] == '[') ++open;
    if (text[at] == ')' || text[at] == ']') --open;
    if (text[at] != '=' || open != 0) continue;
    const char before = at == 0 ? ' ' : text[at - 1];
    const bool compares = at + 1 < text.size() && text[at + 1] == '=';
    return compares || std::string_view("=!<>").find(before) != std::string_view::npos ? std::string_view::npos : at;
  }
  return std::string_view::npos;
}

bool is_store(const Place& place) { return std::holds_alternative<Store>(*place.operation); }

/// Returns whether CUDA's atomics take pointers to this type.
bool has_cuda_atomics(ScalarType type) { return type.bits == 32 || (type.bits == 64 && !type.is_signed); }

/// Removes `volatile` from the text of an address, because CUDA's atomics do not accept volatile pointers.
std::string address_words(std::string_view cell, const MemoryAccess& access) {
  if (!access.is_volatile) return fmt::format("&{}", cell);
  const std::string_view type = access.type == kInt        ? "int"
                                : access.type == kUnsigned ? "unsigned int"
                                                           : "unsigned long long";
  return fmt::format("({} *)&{}", type, cell);
}

}  // namespace

Forms::Edits CudaForms::with_scope(const Place& place, Scope scope) const {
  const std::string_view slice = text_.slice(place.span);
  const CallText call = call_in(slice);
  if (call.callee.empty()) return std::nullopt;
  if (const auto name = plain_name(call.callee)) {
    const auto suffix = suffix_of(scope);
    if (!suffix) return std::nullopt;
    return std::vector{replacement(text_.text(), call.callee, fmt::format("{}{}", *name, *suffix))};
  }
  const bool is_lock = call.callee == "lock" || call.callee == "unlock";
  if (is_lock && call.arguments.size() == 1) {
    return std::vector{replacement(text_.text(), slice.substr(call.close, 0), fmt::format(", {}", to_string(scope)))};
  }
  const std::string_view word = call.arguments.empty() ? std::string_view() : scope_word(call.arguments.back());
  if (!word.empty()) return std::vector{replacement(text_.text(), word, to_string(scope))};
  return declared_scope(place, call.callee, scope);
}

/// Finds the object whose member function is called, and edits the scope in the object's declaration: the nearest
/// declaration before the call, or the last declaration if all declarations follow the call.
Forms::Edits CudaForms::declared_scope(const Place& place, std::string_view call, Scope scope) const {
  std::size_t end = std::min(call.rfind('.'), call.rfind("->"));
  if (end == std::string_view::npos) end = std::min(call.size(), call.rfind("->"));
  if (end >= call.size()) return std::nullopt;
  std::string_view object = call.substr(0, end);
  while (object.ends_with(']')) object = object.substr(0, object.rfind('['));
  std::size_t begin = object.size();
  while (begin > 0 && is_word_character(object[begin - 1])) --begin;
  const std::string_view name = object.substr(begin);
  if (name.empty()) return std::nullopt;
  const std::string& text = text_.text();
  const std::size_t at = text_.offset_of(place.span).value_or(0);
  constexpr std::string_view kPrefix = "thread_scope_";
  std::string_view found;
  std::vector<std::string_view> named;
  for (std::size_t next = text.find(kPrefix); next != std::string::npos; next = text.find(kPrefix, next + 1)) {
    std::size_t word = next + kPrefix.size();
    std::size_t after = word;
    while (after < text.size() && is_word_character(text[after])) ++after;
    const std::string_view scope_name = std::string_view(text).substr(word, after - word);
    std::size_t declared = after;
    while (declared < text.size() && std::string_view("> \t*&").find(text[declared]) != std::string_view::npos)
      ++declared;
    const std::string_view rest = std::string_view(text).substr(declared);
    const bool declares = declared > after && rest.starts_with(name) &&
                          (rest.size() == name.size() || !is_word_character(rest[name.size()]));
    if (declares && scope_from_string(scope_name) && (next < at || found.empty())) found = scope_name;
    if (scope_from_string(scope_name)) named.push_back(scope_name);
  }
  // Without a declaration, use the text's only scope name, such as the scope in a type alias or a struct.
  if (found.empty() && named.size() == 1) found = named.front();
  if (found.empty()) return std::nullopt;
  return std::vector{replacement(text, found, to_string(scope))};
}

Forms::Edits CudaForms::with_order(const Place& place, Order order) const {
  const CallText call = call_in(text_.slice(place.span));
  if (plain_name(call.callee)) return std::nullopt;
  for (const std::string_view argument : call.arguments) {
    const std::string_view word = order_word(argument);
    if (!word.empty()) return std::vector{replacement(text_.text(), word, to_string(order))};
  }
  return std::nullopt;
}

std::optional<Statement> CudaForms::statement_of(const Place& place) const {
  const auto at = text_.offset_of(place.span);
  return at ? std::optional(text_.statement_at(*at)) : std::nullopt;
}

std::optional<std::string> CudaForms::fence_words(Order order, Scope scope) const {
  if (const auto suffix = suffix_of(scope); suffix && order == Order::SeqCst)
    return fmt::format("{}{}();", kFence, *suffix);
  if (is_litmus_) return fmt::format("fence({}, {});", to_string(order), to_string(scope));
  return std::nullopt;
}

Forms::Edits CudaForms::fence_before(const Place& place, Order order, Scope scope) const {
  const auto statement = statement_of(place);
  const auto words = fence_words(order, scope);
  if (!statement || !words) return std::nullopt;
  return std::vector{text_.before(*statement, {*words})};
}

Forms::Edits CudaForms::without(const Place& fence) const {
  const auto statement = statement_of(fence);
  const auto at = text_.offset_of(fence.span);
  const std::string_view slice = text_.slice(fence.span);
  if (!statement || !statement->is_simple || call_in(slice).callee.empty()) return std::nullopt;
  const std::string_view rest =
      std::string_view(text_.text()).substr(*at + slice.size(), statement->end - *at - slice.size());
  if (trimmed(rest) != ";") return std::nullopt;
  // `if (c) __syncthreads();` becomes `if (c) {}`.
  if (statement->begin != *at) return std::vector<TextEdit>{{*at, statement->end, "{}"}};
  return std::vector{text_.without(*statement)};
}

Forms::Edits CudaForms::as_atomic(const Place& place, Scope scope) const {
  const MemoryAccess& access = *access_of(*place.operation);
  const std::string_view slice = text_.slice(place.span);
  const auto suffix = suffix_of(scope);
  const bool has_builtin = suffix && has_cuda_atomics(access.type);
  if (slice.empty() || (!is_litmus_ && !has_builtin)) return std::nullopt;
  const auto begin = static_cast<std::size_t>(slice.data() - text_.text().data());
  const std::size_t end = begin + slice.size();
  if (!is_store(place)) {
    if (!call_in(slice).callee.empty() || assignment_in(slice) != std::string_view::npos) return std::nullopt;
    if (is_litmus_) {
      return std::vector<TextEdit>{{begin, begin, "load("},
                                   {end, end, fmt::format(", relaxed, {})", to_string(scope))}};
    }
    return std::vector<TextEdit>{
        {begin, end, fmt::format("atomicAdd{}({}, 0)", *suffix, address_words(slice, access))}};
  }
  const std::size_t equals = assignment_in(slice);
  if (equals == std::string_view::npos || equals == 0) return std::nullopt;
  if (std::string_view("+-*/%&|^").find(slice[equals - 1]) != std::string_view::npos) return std::nullopt;
  const std::string_view cell = trimmed(slice.substr(0, equals));
  const std::size_t value = begin + std::min(slice.find_first_not_of(' ', equals + 1), slice.size());
  if (is_litmus_) {
    return std::vector<TextEdit>{{begin, value, fmt::format("store({}, ", cell)},
                                 {end, end, fmt::format(", relaxed, {})", to_string(scope))}};
  }
  return std::vector<TextEdit>{{begin, value, fmt::format("atomicExch{}({}, ", *suffix, address_words(cell, access))},
                               {end, end, ")"}};
}

Forms::Edits CudaForms::as_atomic_update(const Place& place, Scope scope) const {
  const MemoryAccess& access = *access_of(*place.operation);
  const std::string_view slice = text_.slice(place.span);
  const auto suffix = suffix_of(scope);
  if (slice.empty() || !suffix || !has_cuda_atomics(access.type)) return std::nullopt;
  const auto made = [&](std::string_view name, std::string_view cell, std::string_view operand) {
    return std::vector{replacement(
        text_.text(), slice,
        fmt::format("{}{}({}, {})", name, *suffix, address_words(trimmed(cell), access), trimmed(operand)))};
  };
  for (const auto& [sign, name] : {std::pair{"++", "atomicAdd"}, std::pair{"--", "atomicSub"}}) {
    if (slice.ends_with(sign)) return made(name, slice.substr(0, slice.size() - 2), "1");
    if (slice.starts_with(sign)) return made(name, slice.substr(2), "1");
  }
  const std::size_t equals = assignment_in(slice);
  if (equals == std::string_view::npos || equals == 0) return std::nullopt;
  static constexpr std::array<std::pair<char, std::string_view>, 5> kUpdates = {
      {{'+', "atomicAdd"}, {'-', "atomicSub"}, {'&', "atomicAnd"}, {'|', "atomicOr"}, {'^', "atomicXor"}}};
  for (const auto& [sign, name] : kUpdates) {
    if (slice[equals - 1] == sign) return made(name, slice.substr(0, equals - 1), slice.substr(equals + 1));
    // x = x + e
    const std::string_view cell = trimmed(slice.substr(0, equals));
    std::string_view value = trimmed(slice.substr(equals + 1));
    if (!value.starts_with(cell)) continue;
    value = trimmed(value.substr(cell.size()));
    const bool is_sum = value.size() > 1 && value[0] == sign && value[1] != sign;
    const bool is_one_operand = value.find_first_of("+-*/%&|^<>?", 1) == std::string_view::npos;
    if (is_sum && is_one_operand) return made(name, cell, value.substr(1));
  }
  return std::nullopt;
}

std::optional<LockWords> CudaForms::lock_of(const Place& place) const {
  const CallText call = call_in(text_.slice(place.span));
  if (call.arguments.empty()) return std::nullopt;
  if (call.callee == "lock") {
    std::string arguments(call.arguments[0]);
    if (call.arguments.size() > 1) arguments += fmt::format(", {}", call.arguments[1]);
    return LockWords{fmt::format("lock({});", arguments), "", fmt::format("unlock({});", arguments),
                     std::string(call.arguments[0])};
  }
  if (plain_name(call.callee) != std::optional<std::string_view>("atomicCAS") || call.arguments.size() != 3) {
    return std::nullopt;
  }
  if (call.arguments[1] != "0") return std::nullopt;
  const std::string_view suffix = call.callee.substr(std::string_view("atomicCAS").size());
  std::string_view name = call.arguments[0];
  if (name.starts_with('&')) name.remove_prefix(1);
  return LockWords{fmt::format("while ({} != 0) {{}}", text_.slice(place.span)), fmt::format("{}{}();", kFence, suffix),
                   fmt::format("atomicExch{}({}, 0);", suffix, call.arguments[0]), std::string(name)};
}

Forms::Edits CudaForms::in_lock(const Place& place, const LockWords& lock) const {
  const auto statement = statement_of(place);
  if (!statement || !statement->is_simple) return std::nullopt;
  std::vector<std::string> take{lock.take};
  if (!lock.fence.empty()) take.push_back(lock.fence);
  std::vector<std::string> give{lock.give};
  if (!lock.fence.empty()) give.insert(give.begin(), lock.fence);
  return std::vector{text_.before(*statement, take), text_.after(*statement, give)};
}

Forms::Edits CudaForms::barrier(const Place& place, const BarrierPosition& position, const std::string& words) const {
  auto statement = statement_of(place);
  for (unsigned i = 0; statement && i < position.levels_out; ++i) statement = text_.enclosing(*statement);
  if (!statement) return std::nullopt;
  if (!position.is_after) return std::vector{text_.before(*statement, {words})};
  if (!statement->is_simple) return std::nullopt;
  return std::vector{text_.after(*statement, {words})};
}

Forms::Edits CudaForms::in_block(const Thread& thread, int block) const {
  const auto begin = text_.offset_of(thread.span);
  if (!begin) return std::nullopt;
  const std::string& text = text_.text();
  const std::string_view head =
      std::string_view(text).substr(*begin, std::min(text.find('{', *begin), text.size()) - *begin);
  std::string_view word = "block ";
  std::size_t at = head.find(word);
  if (at == std::string_view::npos) at = head.find(word = "cta ");
  if (head.find('@') == std::string_view::npos || at == std::string_view::npos) return std::nullopt;
  std::size_t number = at + word.size();
  std::size_t end = number;
  while (end < head.size() && is_word_character(head[end])) ++end;
  return std::vector{replacement(text, head.substr(number, end - number), std::to_string(block))};
}

}  // namespace ambit::repair
