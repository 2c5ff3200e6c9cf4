#include "runner/cudart/error_table.h"
#include "runner/cudart/session.h"

namespace ambit::cudart {
namespace {

struct ErrorText {
  int number;
  const char* name;
  const char* text;
};
constexpr ErrorText kErrors[] = {
#define AMBIT_ERROR_TEXT(number, name, text) {number, #name, text},
    AMBIT_CUDART_ERRORS(AMBIT_ERROR_TEXT)
#undef AMBIT_ERROR_TEXT
};

const ErrorText* find(int number) {
  for (const ErrorText& error : kErrors) {
    if (error.number == number) return &error;
  }
  return nullptr;
}

}  // namespace

const char* error_name(int error) {
  const ErrorText* found = find(error);
  return found == nullptr ? "unrecognized error code" : found->name;
}

const char* error_text(int error) {
  const ErrorText* found = find(error);
  return found == nullptr ? "unrecognized error code" : found->text;
}

}  // namespace ambit::cudart

extern "C" {
const char* cudaGetErrorName(int error) { return ambit::cudart::error_name(error); }
const char* cudaGetErrorString(int error) { return ambit::cudart::error_text(error); }
}
