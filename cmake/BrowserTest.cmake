# Tests of the playground in a browser (tests/browser). The tests are skipped if there is no browser, or if the npm
# packages that control the browser are missing. The browser tests run one at a time and mostly wait. They start first,
# and run in parallel with other tests.
set(browser_tests ${CMAKE_CURRENT_BINARY_DIR}/browser)
set(browser_scripts ${PROJECT_SOURCE_DIR}/tests/browser)
file(GLOB browser_sources CONFIGURE_DEPENDS ${browser_scripts}/*)
add_custom_command(OUTPUT ${browser_tests}/ready
  COMMAND ${CMAKE_COMMAND} -DTESTS=${browser_scripts} -DWORK=${browser_tests} -DNPM=${NPM} -P ${CMAKE_CURRENT_LIST_DIR}/BrowserTests.cmake
  COMMAND ${CMAKE_COMMAND} -E touch ${browser_tests}/ready
  DEPENDS ${browser_sources} ${CMAKE_CURRENT_LIST_DIR}/BrowserTests.cmake ${CMAKE_CURRENT_LIST_DIR}/NpmPackages.cmake
  COMMENT "Fetching what drives a browser" VERBATIM)
add_custom_target(ambit_browser_tests ALL DEPENDS ${browser_tests}/ready)
find_program(NODE node)

# The tests of the page, and the tests that need `ambit`: tests of its server, courses and HTML pages.
set(browser_names opens edits simulates detects shares teaches escapes answersInFull stopsShort admitsIgnorance fitsAPhone remembers keepsWhatALinkCovered
  namesNoOptions waits recognises remarks appliesAFix leadsToLines obeysTheKeyboard isDarkToo coversNothing marksSolved locksWhatJudges staysAtItsAddress
  offersExamples showsTheRaceFirst namesItsModels zooms drawsInBothThemes simulatesOnAPhone)
set(server_names losesTheServer tellsRefusals tellsOfChanges servesOtherLessons sortsAndHides sitesFitAPhone sitesAreDarkToo)

# ambit_browser_test(NAME SUBJECT TEST): runs a test on the program, or on the folder of the static playground.
function(ambit_browser_test name subject test)
  add_test(NAME ${name} COMMAND node run.mjs ${subject} ${test} WORKING_DIRECTORY ${browser_tests})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 180 RESOURCE_LOCK browser COST 100
    ENVIRONMENT "AMBIT_SOURCE_DIR=${PROJECT_SOURCE_DIR}")
  if(NOT NODE)
    set_tests_properties(${name} PROPERTIES DISABLED TRUE)
  endif()
endfunction()

# ambit_site_tests(FOLDER): runs the tests of the page on the static playground, tests its engine, and checks its size.
function(ambit_site_tests folder)
  foreach(test ${browser_names})
    ambit_browser_test(Site.${test} ${folder} ${test})
  endforeach()
  add_test(NAME Site.answers COMMAND node engine.mjs ${folder} WORKING_DIRECTORY ${browser_tests})
  add_test(NAME Site.isSmall COMMAND node size.mjs ${folder} WORKING_DIRECTORY ${browser_tests})
endfunction()

# ambit_npm_tests(FOLDER): installs the npm package that is packed beside FOLDER and uses it in Node.js and from
# TypeScript; loads it from FOLDER in a browser. Without the package or a tool, a test is skipped.
function(ambit_npm_tests folder)
  foreach(test answers types)
    add_test(NAME Site.package.${test} COMMAND node ${PROJECT_SOURCE_DIR}/tests/npm/${test}.mjs ${folder})
    set_tests_properties(Site.package.${test} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600)
    if(NOT NODE)
      set_tests_properties(Site.package.${test} PROPERTIES DISABLED TRUE)
    endif()
  endforeach()
  ambit_browser_test(Site.package.loadsInABrowser ${folder} loadsAsAModule)
endfunction()
