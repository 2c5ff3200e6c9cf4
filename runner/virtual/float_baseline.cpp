#define AMBIT_VARIANT baseline
#include "runner/virtual/float_operations.inc"
