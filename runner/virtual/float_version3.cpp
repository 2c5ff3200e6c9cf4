#define AMBIT_VARIANT version3
#include "runner/virtual/float_operations.inc"
