# Defines nlohmann_json, which consists only of headers.
if(NOT TARGET nlohmann_json::nlohmann_json)
  add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED GLOBAL)
  set_target_properties(nlohmann_json::nlohmann_json PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES ${AMBIT_SOURCES}/nlohmann-json3/include)
endif()
set(nlohmann_json_FOUND TRUE)
