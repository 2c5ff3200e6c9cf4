# Compiles fmt from its Debian source package.
add_library(fmt STATIC EXCLUDE_FROM_ALL ${AMBIT_SOURCES}/fmtlib/src/format.cc)
add_library(fmt::fmt ALIAS fmt)
target_include_directories(fmt SYSTEM PUBLIC ${AMBIT_SOURCES}/fmtlib/include)
set(fmt_FOUND TRUE)
