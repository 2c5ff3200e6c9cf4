# `cmake --install BUILD --component program` installs the program with its manual pages, completions (apps/manual),
# documents, models and tests; `cpack` makes a Debian package of the same files (docs/guide/install.md).

# Installing compiles nothing. The installation fails if a file is missing.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)

install(TARGETS ambit RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
# The library that `ambit exec` loads into programs.
# The library has a separate folder, so that programs do not load it by accident from the usual library folder.
install(TARGETS ambit_cudart_11 ambit_cudart_12 ambit_cudart_13
  LIBRARY DESTINATION lib/ambit/cudart COMPONENT program)
install(DIRECTORY model/cat DESTINATION ${CMAKE_INSTALL_DATADIR}/ambit COMPONENT program)
# Installs only some tests, because the whole corpus would make up most of the package.
foreach(suite cuda scor separating termination)
  install(DIRECTORY litmus/${suite} DESTINATION ${CMAKE_INSTALL_DATADIR}/ambit/litmus COMPONENT program)
endforeach()
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program PATTERN data EXCLUDE)
# README.md is not installed: docs/README.md, the index of the documents, takes its place.
install(FILES CHANGELOG.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(FILES cmake/package/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)

set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL program)
set(CPACK_PACKAGE_NAME ambit)
set(CPACK_PACKAGE_VENDOR "The Ambit authors")
set(CPACK_PACKAGE_CONTACT "The Ambit authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "checker, runner and teacher for scoped GPU synchronization")
set(CPACK_PACKAGE_DESCRIPTION "Ambit reads litmus tests and CUDA kernels. For each formal memory model it says which
outcomes are possible and whether the program races, and shows an execution for
every claim. It runs tests in a simulator or on a GPU, and asks race detectors
from the literature.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME ambit)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS graphviz)
include(CPack)
