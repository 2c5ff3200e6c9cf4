// The hand-made programs and models of tests/unit/eval, for the tests here.
#include "tests/unit/eval/models.cpp"    // NOLINT(bugprone-suspicious-include)
#include "tests/unit/eval/programs.cpp"  // NOLINT(bugprone-suspicious-include)
