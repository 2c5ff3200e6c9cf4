# Compiles the runtime of ANTLR from its Debian source package. Like Debian, compiles it as C++14: in C++17, some files
# of this version contradict their headers.
set(ANTLR4_INCLUDE_DIR ${AMBIT_SOURCES}/antlr4-cpp-runtime/runtime/src)
file(GLOB_RECURSE antlr4_sources ${ANTLR4_INCLUDE_DIR}/*.cpp)
add_library(antlr4_shared STATIC EXCLUDE_FROM_ALL ${antlr4_sources})
set_target_properties(antlr4_shared PROPERTIES INCLUDE_DIRECTORIES ${ANTLR4_INCLUDE_DIR})  # without the headers for C++20
target_include_directories(antlr4_shared SYSTEM INTERFACE ${ANTLR4_INCLUDE_DIR})
target_compile_options(antlr4_shared PRIVATE -w)
set_target_properties(antlr4_shared PROPERTIES CXX_STANDARD 14 UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 50)
