#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ambit::parser::compiled {

/// Returns the last component without template arguments and parameters: "sum" for _ZN5space3sumILi4EEEvPi, "tile" for
/// _ZZ3sumPiE4tile.
std::string plain_name(const std::string& name);

/// Returns the C++ name with namespaces and template arguments, but without parameters: "space::sum<4>".
std::string name_with_arguments(const std::string& name);

/// Returns the types of the parameters in a mangled name: "float*", "int"; nothing for a name that is not mangled.
std::vector<std::string> parameter_types(const std::string& name);

/// Returns whether a mangled name may denote the kernel that the litmus language names `kernel`. Names in the litmus
/// language encode template arguments.
bool names_kernel(const std::string& mangled, std::string_view kernel);

}  // namespace ambit::parser::compiled
