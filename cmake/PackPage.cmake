# Packs the playground's page: cmake -DWEB=... -DPROJECT=... -DWORK=... -DOUTPUT=page_files.cpp -DNPM=...
# [-DFOLDER=...] -P PackPage.cmake
#
# npm fetches the editor component once; esbuild packs everything into a few files, which become constants of the
# program. If FOLDER is given, the page's files are also written there.
# A build without network does not fail. If npm is missing or cannot reach its registry, the program has no page, and
# `ambit serve` reports this.
include(${CMAKE_CURRENT_LIST_DIR}/NpmPackages.cmake)

function(give_up why)
  message(WARNING "the playground's page is left out: ${why}")
  file(WRITE ${OUTPUT} "#include \"apps/server/page.h\"\n\nnamespace ambit::server {\n\nstd::span<const PageFile> page_files() { return {}; }\nstd::span<const PageFile> course_files() { return {}; }\n\n}  // namespace ambit::server\n")
endfunction()

file(COPY ${WEB}/package.json ${WEB}/package-lock.json ${WEB}/build.mjs ${WEB}/src DESTINATION ${WORK})
npm_packages(${WORK} "${NPM}" failed)
if(failed)
  give_up("${failed}")
  return()
endif()
execute_process(COMMAND node build.mjs ${PROJECT} ${OUTPUT} ${FOLDER} WORKING_DIRECTORY ${WORK} RESULT_VARIABLE failed ERROR_VARIABLE message)
if(failed)
  give_up("${message}")
endif()
