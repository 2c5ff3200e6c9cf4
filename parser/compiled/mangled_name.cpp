#include "parser/compiled/mangled_name.h"

#include "base/demangled.h"

namespace ambit::parser::compiled {
namespace {

/// Returns the last component of a qualified name. Removes text in (), <> and []; a "::" in these brackets does not
/// separate components.
std::string last_component(std::string_view full) {
  std::string component;
  int depth = 0;
  for (const char c : full) {
    if (c == '(' || c == '<' || c == '[') ++depth;
    if (depth == 0) {
      if (c == ':' || c == ' ') {
        component.clear();
      } else {
        component += c;
      }
    }
    if (c == ')' || c == '>' || c == ']') --depth;
  }
  return component;
}

/// Returns the index of the bracket that begins the parameter list; npos if the name has no parameter list.
std::size_t begin_of_parameters(std::string_view full) {
  constexpr std::string_view kAnonymous = "(anonymous namespace)";
  int depth = 0;
  for (std::size_t i = 0; i < full.size(); ++i) {
    if (depth == 0 && full.substr(i).starts_with(kAnonymous)) {
      i += kAnonymous.size() - 1;
    } else if (depth == 0 && full[i] == '(') {
      return i;
    } else if (full[i] == '<' || full[i] == '(') {
      ++depth;
    } else if (full[i] == '>' || full[i] == ')') {
      --depth;
    }
  }
  return full.npos;
}

}  // namespace

std::string plain_name(const std::string& name) {
  const std::string component = last_component(demangled(name));
  return component.empty() ? name : component;
}

std::string name_with_arguments(const std::string& name) {
  const std::string full = demangled(name);
  const std::string_view declared = std::string_view(full).substr(0, begin_of_parameters(full));
  std::size_t begin = 0;  // beginning of the name, after the result type
  int depth = 0;
  for (std::size_t i = 0; i < declared.size(); ++i) {
    if (declared[i] == '<' || declared[i] == '(') ++depth;
    if (declared[i] == '>' || declared[i] == ')') --depth;
    if (declared[i] == ' ' && depth == 0) begin = i + 1;
  }
  return std::string(declared.substr(begin));
}

std::vector<std::string> parameter_types(const std::string& name) {
  const std::string full = demangled(name);
  const std::size_t open = begin_of_parameters(full);
  std::vector<std::string> types;
  if (open == full.npos) return types;
  int depth = 0;
  for (std::size_t i = open + 1; i < full.size(); ++i) {
    const char c = full[i];
    if (depth == 0 && c == ')') break;
    if (types.empty()) types.emplace_back();
    if (depth == 0 && c == ',') {
      types.emplace_back();
      continue;
    }
    if (c == '(' || c == '<') ++depth;
    if (c == ')' || c == '>') --depth;
    if (c != ' ' || !types.back().empty()) types.back() += c;
  }
  return types;
}

bool names_kernel(const std::string& mangled, std::string_view kernel) {
  if (kernel == mangled) return true;
  const std::string plain = plain_name(mangled);
  return kernel == plain || (kernel.starts_with(plain) && kernel[plain.size()] == '<');
}

}  // namespace ambit::parser::compiled
