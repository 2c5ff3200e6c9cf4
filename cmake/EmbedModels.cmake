# Writes OUTPUT, a C++ file that defines ambit::rules::embedded_files() with the text of every file in FILES.
set(body "")
foreach(file ${FILES})
  get_filename_component(name ${file} NAME)
  file(READ ${file} text)
  string(APPEND body "    {\"${name}\", R\"__CAT__(${text})__CAT__\"},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"model/rules/shipped.h\"\n\nnamespace ambit::rules {\n\n\
std::span<const ShippedFile> shipped_files() {\n  static constexpr ShippedFile kFiles[] = {\n${body}  };\n  return kFiles;\n}\n\n\
}  // namespace ambit::rules\n")
