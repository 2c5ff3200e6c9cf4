#define AMBIT_VARIANT baseline
#include "runner/virtual/integer_operations.inc"
