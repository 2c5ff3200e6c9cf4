# Packs the playground's page: cmake -DWEB=... -DPROJECT=... -DWORK=... -DOUTPUT=page_files.cpp -DNPM=... -P PackPage.cmake
# npm fetches the editor component once, esbuild packs all into a few files, which become constants of the program. Where
# npm is not there, or its registry cannot be reached, the program gets no page and `ambit serve` says so: a build without
# network is no failed build.
function(give_up why)
  message(WARNING "the playground's page is left out: ${why}")
  file(WRITE ${OUTPUT} "#include \"server/page.h\"\n\nnamespace ambit::server {\n\nstd::span<const PageFile> page_files() { return {}; }\n\n}  // namespace ambit::server\n")
endfunction()

if(NOT NPM)
  give_up("npm is not installed")
  return()
endif()
file(COPY ${WEB}/package.json ${WEB}/package-lock.json ${WEB}/build.mjs ${WEB}/src DESTINATION ${WORK})
file(SHA256 ${WEB}/package-lock.json lock)
set(stamp "")
if(EXISTS ${WORK}/packages.stamp)
  file(READ ${WORK}/packages.stamp stamp)
endif()
if(NOT stamp STREQUAL lock)
  execute_process(COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error
    WORKING_DIRECTORY ${WORK} RESULT_VARIABLE failed ERROR_VARIABLE message OUTPUT_QUIET TIMEOUT 300)
  if(failed)
    give_up("npm could not fetch its packages (${failed}): ${message}")
    return()
  endif()
  file(WRITE ${WORK}/packages.stamp ${lock})
endif()
execute_process(COMMAND node build.mjs ${PROJECT} ${OUTPUT} WORKING_DIRECTORY ${WORK} RESULT_VARIABLE failed ERROR_VARIABLE message)
if(failed)
  give_up("${message}")
endif()
