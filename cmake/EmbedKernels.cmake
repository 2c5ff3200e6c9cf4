# Writes OUTPUT, a C++ file that defines ambit::cuda::FUNCTION(name) with the text of every file in FILES,
# without the lines that only the host compiler reads.
set(body "")
foreach(file ${FILES})
  get_filename_component(name ${file} NAME)
  file(READ ${file} text)
  string(REGEX REPLACE "#pragma once\n|#include \"kernels/[^\n]*\n" "" text "${text}")
  string(APPEND body "  if (name == \"${name}\") return R\"__KERNEL__(${text})__KERNEL__\";\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"runner/cuda/kernel_text.h\"\n\nnamespace ambit::cuda {\n\n\
std::string ${FUNCTION}(std::string_view name) {\n${body}  return {};\n}\n\n}  // namespace ambit::cuda\n")
