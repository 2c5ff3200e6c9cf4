#define AMBIT_VARIANT version3
#include "runner/virtual/integer_operations.inc"
