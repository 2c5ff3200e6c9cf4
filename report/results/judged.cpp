#include "report/results/judged.h"

namespace ambit::report {

std::string_view to_string(JudgedVerdict verdict) {
  switch (verdict) {
    case JudgedVerdict::Race: return "race";
    case JudgedVerdict::NoRace: return "no race";
    case JudgedVerdict::Divergence: return "divergence";
    case JudgedVerdict::OutOfBounds: return "out of bounds";
    case JudgedVerdict::Undefined: return "undefined";
    case JudgedVerdict::AssertionFailed: return "assertion failed";
    case JudgedVerdict::Deadlock: return "deadlock";
    case JudgedVerdict::NoFault: return "no fault";
    case JudgedVerdict::Unknown: return "unknown";
    case JudgedVerdict::Unreadable: return "unreadable";
  }
  return "";
}

bool is_fault(JudgedVerdict verdict) {
  switch (verdict) {
    case JudgedVerdict::Race:
    case JudgedVerdict::Divergence:
    case JudgedVerdict::OutOfBounds:
    case JudgedVerdict::Undefined:
    case JudgedVerdict::AssertionFailed:
    case JudgedVerdict::Deadlock: return true;
    case JudgedVerdict::NoRace:
    case JudgedVerdict::NoFault:
    case JudgedVerdict::Unknown:
    case JudgedVerdict::Unreadable: break;
  }
  return false;
}

std::string_view to_string(JudgingTool tool) {
  switch (tool) {
    case JudgingTool::Check: return "check";
    case JudgingTool::Compiled: return "compiled";
    case JudgingTool::Exec: return "exec";
  }
  return "";
}

}  // namespace ambit::report
