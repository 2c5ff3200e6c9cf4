# `cmake --install` puts the libraries and their headers in place; find_package(ambit) finds them.
include(CMakePackageConfigHelpers)

set(rooms core ptx solver events rules eval smt verdict termination explain
  parser parser_text parser_litmus parser_cuda parser_ptx parser_proxy parser_cat
  report_results report_text report_json report_draw report_html report_logs trace detector sim)
list(TRANSFORM rooms PREPEND ambit_ OUTPUT_VARIABLE room_targets)
install(TARGETS ${room_targets} EXPORT ambit-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY core ptx model parser report trace detector runner DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ambit FILES_MATCHING PATTERN "*.h")
install(EXPORT ambit-targets NAMESPACE ambit:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/ambit)
configure_package_config_file(cmake/ambit-config.cmake.in ${PROJECT_BINARY_DIR}/ambit-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/ambit)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ambit-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/ambit-config.cmake ${PROJECT_BINARY_DIR}/ambit-config-version.cmake cmake/FindZ3.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/ambit)
