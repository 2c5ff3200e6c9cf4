# Installs the library: libambit.so, include/ambit, and the files for find_package(ambit) and pkg-config.
# The other modules are inside libambit.so; their headers and archives are not installed.
include(CMakePackageConfigHelpers)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/ambit)
install(TARGETS ambit_library EXPORT ambit-targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development)
install(DIRECTORY include/ambit DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development FILES_MATCHING PATTERN "*.h")
install(EXPORT ambit-targets NAMESPACE ambit:: DESTINATION ${package} COMPONENT development)
configure_package_config_file(cmake/ambit-config.cmake.in ${PROJECT_BINARY_DIR}/ambit-config.cmake
  INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ambit-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/ambit-config.cmake ${PROJECT_BINARY_DIR}/ambit-config-version.cmake
  DESTINATION ${package} COMPONENT development)
file(RELATIVE_PATH AMBIT_PREFIX_FROM_PKGCONFIG /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(cmake/ambit.pc.in ${PROJECT_BINARY_DIR}/ambit.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/ambit.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
