# Writes OUTPUT, a C++ file that defines the functions of model/rules/shipped.h: the text of every file in FILES, and
# the models of the list MODELS (model/cat/models.txt).
set(body "")
foreach(file ${FILES})
  get_filename_component(name ${file} NAME)
  file(READ ${file} text)
  string(APPEND body "    {\"${name}\", R\"__CAT__(${text})__CAT__\"},\n")
endforeach()
set(models "")
set(is_one_of "false")
file(STRINGS ${MODELS} lines REGEX "^[^#]")
foreach(line ${lines})
  if(NOT line MATCHES "^([^ ]+) (defined|undefined)$")
    message(FATAL_ERROR "${MODELS}: expected a model and 'defined' or 'undefined', found '${line}'")
  endif()
  set(model ${CMAKE_MATCH_1})
  string(APPEND models "\"${model}\", ")
  if(line MATCHES " undefined$")
    string(APPEND is_one_of " || model == \"${model}\"")
  endif()
endforeach()
file(WRITE ${OUTPUT} "#include \"model/rules/shipped.h\"\n\nnamespace ambit::rules {\n\n\
std::span<const ShippedFile> shipped_files() {\n  static constexpr ShippedFile kFiles[] = {\n${body}  };\n  return kFiles;\n}\n\n\
std::span<const std::string_view> shipped_models() {\n  static constexpr std::string_view kModels[] = {${models}};\n  return kModels;\n}\n\n\
bool leaves_races_undefined(std::string_view model) {\n  return ${is_one_of};\n}\n\n\
}  // namespace ambit::rules\n")
