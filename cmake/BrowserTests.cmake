# Makes tests/browser ready to run: cmake -DTESTS=... -DWORK=... -DNPM=... -P BrowserTests.cmake
# Without npm, or where its registry cannot be reached, the tests find nothing to drive a browser with and are skipped.
include(${CMAKE_CURRENT_LIST_DIR}/NpmPackages.cmake)
file(COPY ${TESTS}/ DESTINATION ${WORK})
npm_packages(${WORK} "${NPM}" failed)
if(failed)
  message(WARNING "the playground's tests in a browser will be skipped: ${failed}")
endif()
