# Compiles CaDiCaL from its Debian source package.
set(cadical ${AMBIT_SOURCES}/cadical/src)
file(GLOB cadical_sources ${cadical}/*.cpp)
list(REMOVE_ITEM cadical_sources ${cadical}/cadical.cpp ${cadical}/mobical.cpp ${cadical}/ipasir.cpp)
add_library(cadical STATIC EXCLUDE_FROM_ALL ${cadical_sources})
add_library(cadical::cadical ALIAS cadical)
set_target_properties(cadical PROPERTIES INCLUDE_DIRECTORIES ${cadical})  # leaves out the C++20 headers
target_include_directories(cadical SYSTEM INTERFACE ${cadical})
target_compile_options(cadical PRIVATE -w -O2)
target_compile_definitions(cadical PRIVATE NBUILD NDEBUG NUNLOCKED)
set_target_properties(cadical PROPERTIES CXX_STANDARD 14 UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 40)
# These files define names that other files also define, so they must not share a unity file.
set_source_files_properties(${cadical}/internal.cpp ${cadical}/lookahead.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
set(Cadical_FOUND TRUE)
