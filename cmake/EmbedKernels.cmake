# Writes OUTPUT, a C++ file that defines ambit::NAMESPACE::FUNCTION(name).
# The function returns the text of a file in FILES without the lines that only the host compiler reads.
# HEADER declares the function.
# NAMESPACE and HEADER are optional; the defaults are for the kernels of runner/cuda/emit.
if(NOT DEFINED NAMESPACE)
  set(NAMESPACE cuda)
  set(HEADER runner/cuda/emit/kernel_files.h)
endif()
set(body "")
foreach(file ${FILES})
  get_filename_component(name ${file} NAME)
  file(READ ${file} text)
  string(REGEX REPLACE "#pragma once\n|#include \"kernels/[^\n]*\n" "" text "${text}")
  string(APPEND body "  if (name == \"${name}\") return R\"__KERNEL__(${text})__KERNEL__\";\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"${HEADER}\"\n\nnamespace ambit::${NAMESPACE} {\n\n\
std::string ${FUNCTION}(std::string_view name) {\n${body}  return {};\n}\n\n}  // namespace ambit::${NAMESPACE}\n")
