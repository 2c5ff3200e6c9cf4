#include "base/demangled.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace ambit {

std::string demangled(const std::string& name) {
  // Without the prefix, the demangler would take the name for a type: "i" is int.
  if (!name.starts_with("_Z")) return name;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  return status == 0 && text != nullptr ? std::string(text.get()) : name;
}

}  // namespace ambit
