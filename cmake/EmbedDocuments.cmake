# Writes OUTPUT, a C++ file that defines ambit::mcp::documents(): for each file in FILES, the path relative to FOLDER
# and the text.
set(body "")
foreach(file ${FILES})
  file(RELATIVE_PATH name ${FOLDER} ${file})
  file(READ ${file} text)
  string(APPEND body "    {\"${name}\", R\"__PAGE__(${text})__PAGE__\"},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"apps/mcp/documents.h\"\n\nnamespace ambit::mcp {\n\n\
std::span<const DocumentPage> documents() {\n  static constexpr DocumentPage kPages[] = {\n${body}  };\n  return kPages;\n}\n\n\
}  // namespace ambit::mcp\n")
