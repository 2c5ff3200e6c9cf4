# ambit_module(NAME [PRESENTS] [USES modules...] [PRIVATE_LIBRARIES libs...] [SOURCES generated files...]
#              [PRECOMPILED module] [HEADERS further headers to precompile, if PRECOMPILED is this module])
#
# Makes a library from one module of the project (docs/architecture.md): compiles every .cpp of
# the current folder, and links the modules that it may include and its private third-party
# libraries. A module with PRESENTS only presents results, which takes little run time. It is
# compiled with -O1, which shortens a clean build. Modules with PRESENTS share precompiled
# headers.
function(ambit_module name)
  cmake_parse_arguments(MODULE "PRESENTS" "PRECOMPILED" "USES;PRIVATE_LIBRARIES;SOURCES;HEADERS" ${ARGN})
  if(NOT MODULE_PRECOMPILED)
    set(MODULE_PRECOMPILED base)
    if(MODULE_PRESENTS)
      set(MODULE_PRECOMPILED report_results)
    endif()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_library(ambit_${name} STATIC ${sources} ${MODULE_SOURCES})
  add_library(ambit::${name} ALIAS ambit_${name})
  ambit_in_shared_library(ambit_${name})
  target_compile_features(ambit_${name} PUBLIC cxx_std_20)
  target_include_directories(ambit_${name} PUBLIC ${PROJECT_SOURCE_DIR})
  foreach(used ${MODULE_USES})
    target_link_libraries(ambit_${name} PUBLIC ambit_${used})
  endforeach()
  target_link_libraries(ambit_${name} PRIVATE ${MODULE_PRIVATE_LIBRARIES})
  if(MODULE_PRESENTS)
    target_compile_options(ambit_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  ambit_warnings(ambit_${name})
  ambit_precompiled(ambit_${name} ambit_${MODULE_PRECOMPILED} ${MODULE_HEADERS})
endfunction()

# Sets the options of code that becomes part of libambit.so (library/).
# With hidden visibility, calls to functions that the library does not export are direct, as in a program.
function(ambit_in_shared_library target)
  set_target_properties(${target} PROPERTIES
    POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
endfunction()

# A clean build spends most of its time parsing the same headers again. The target `owner` compiles the common headers
# once, and targets with equal compiler options reuse the result. Files must still include what they use: `./dev lint`
# compiles without precompiled headers.
set(AMBIT_STANDARD_HEADERS <algorithm> <array> <cstdint> <functional> <map> <memory> <optional> <set> <span> <sstream> <string>
  <string_view> <utility> <variant> <vector> <fmt/format.h>)
function(ambit_precompiled target owner)
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)  # ccache needs it
  if(target STREQUAL owner)
    target_precompile_headers(${target} PRIVATE ${AMBIT_STANDARD_HEADERS} ${ARGN})
  else()
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()

# Our own code compiles without warnings; generated code is exempt.
# Compilers newer than those in continuous integration may report new warnings, so warnings are errors only on request.
function(ambit_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion $<$<BOOL:${AMBIT_WERROR}>:-Werror>)
  # GCC 12 reports false out-of-bounds accesses in std::string (GCC bugs 105329 and 105651).
  # With a precompiled header, GCC does not recognise <string> as a system header.
  target_compile_options(${target} PRIVATE
    "$<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds;-Wno-stringop-overread;-Wno-stringop-overflow;-Wno-restrict>")
  # In unity builds, GCC treats the anonymous namespaces of source files as if they were in headers.
  target_compile_options(${target} PRIVATE "$<$<AND:$<CXX_COMPILER_ID:GNU>,$<BOOL:${CMAKE_UNITY_BUILD}>>:-Wno-subobject-linkage>")
  # Clang's -Wconversion rejects AMBIT_ASSERT(!"reason").
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:Clang>:-Wno-string-conversion>)
endfunction()

# Compiles files of the current folder with -O3.
# For large programs, loops over bit rows take most of the time, and -O2 does not vectorise these loops.
function(ambit_vectorized)
  set_source_files_properties(${ARGN} PROPERTIES
    COMPILE_OPTIONS "$<$<CONFIG:Release>:-O3>" SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
endfunction()
