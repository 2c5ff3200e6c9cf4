#include "parser/compiled/mangled_name.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace ambit::parser::compiled {
namespace {

/// Without what stands in (), <> and []; "::" only counts outside of these.
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

}  // namespace

std::string demangled(const std::string& name) {
  int status = 0;
  if (!name.starts_with("_Z")) return name;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  return status == 0 && text != nullptr ? std::string(text.get()) : name;
}

std::string plain_name(const std::string& name) {
  const std::string component = last_component(demangled(name));
  return component.empty() ? name : component;
}

bool names_kernel(const std::string& mangled, std::string_view kernel) {
  if (kernel == mangled) return true;
  const std::string plain = plain_name(mangled);
  return kernel == plain || (kernel.starts_with(plain) && kernel[plain.size()] == '<');
}

}  // namespace ambit::parser::compiled
