#include "parser/ptx/vector_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "parser/ptx/type_suffix.h"

namespace ambit::parser::ptx {
namespace {

std::size_t elements_of(const Word& word) { return word.text == "v2" ? 2 : word.text == "v4" ? 4 : 0; }

auto find_count(const InstructionNode& node) {
  return std::ranges::find_if(node.opcode, [](const Word& word) { return elements_of(word) > 0; });
}

}  // namespace

bool is_vector(const InstructionNode& node) { return !node.vector.empty() || find_count(node) != node.opcode.end(); }

std::vector<InstructionNode> scalars_of(const InstructionNode& node, Reporter& reporter) {
  static constexpr const char* kForm = "the form is: ld|st[.weak|.relaxed.SCOPE].v2|.v4.TYPE {r0,r1}, [x]";
  const auto fail = [&](SourceSpan where, std::string message) {
    reporter.error(where, std::move(message), kForm);
    return std::vector<InstructionNode>{};
  };
  const std::string_view base = node.opcode.front().text;
  if (base != "ld" && base != "st") return fail(node.opcode.front().span, "only ld and st have vectors");
  const auto count = find_count(node);
  if (count == node.opcode.end()) {
    return fail(node.span, fmt::format("a vector of {} elements needs .v2 or .v4", node.vector.size()));
  }
  if (elements_of(*count) != node.vector.size()) {
    return fail(count->span, fmt::format("'.{}' needs a vector of {} elements, found {}", count->text,
                                         elements_of(*count), node.vector.size()));
  }
  for (const Word& word : node.opcode) {
    if (word.text == "acquire" || word.text == "release" || word.text == "async") {
      return fail(word.span, fmt::format("Ambit has no vector access with .{}", word.text));
    }
  }
  const std::optional<TypeSuffix> type = read_type_suffix(node.opcode.back());
  if (!type) return fail(node.opcode.back().span, "a vector access needs the type of its elements");
  if (type->bits > 64) return fail(type->span, "PTX has no vectors with elements of 16 bytes");
  if (node.guard && base == "ld") return fail(node.guard->span, "Ambit has no vector load under a predicate");
  std::vector<InstructionNode> parts;
  for (std::size_t i = 0; i < node.vector.size(); ++i) {
    InstructionNode& part = parts.emplace_back(node);
    part.vector.clear();
    part.opcode.erase(part.opcode.begin() + (count - node.opcode.begin()));
    for (OperandNode& operand : part.operands) {
      if (operand.kind == OperandNode::Kind::Sink) {
        operand = node.vector[i];
      } else if (operand.index) {
        *operand.index += static_cast<Value>(i);
      } else {
        operand.offset = operand.offset.value_or(0) + static_cast<Value>(i) * (type->bits / 8);
      }
    }
  }
  return parts;
}

}  // namespace ambit::parser::ptx
