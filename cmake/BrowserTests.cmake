# Prepares tests/browser: cmake -DTESTS=... -DWORK=... -DNPM=... -P BrowserTests.cmake
# If npm is missing or cannot reach its registry, there is no browser driver, and the tests are skipped.
include(${CMAKE_CURRENT_LIST_DIR}/NpmPackages.cmake)
file(COPY ${TESTS}/ DESTINATION ${WORK})
npm_packages(${WORK} "${NPM}" failed)
if(failed)
  message(WARNING "the playground's tests in a browser will be skipped: ${failed}")
endif()
