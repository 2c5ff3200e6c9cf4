#include "report/results/kernel_scores.h"

#include <algorithm>

namespace ambit::report {

std::string_view to_string(KernelVerdict verdict) {
  switch (verdict) {
    case KernelVerdict::Correct: return "correct";
    case KernelVerdict::WrongResult: return "wrong result";
    case KernelVerdict::Race: return "race";
    case KernelVerdict::Fault: return "fault";
    case KernelVerdict::DoesNotCompile: return "does not compile";
    case KernelVerdict::CannotLaunch: return "cannot launch";
    case KernelVerdict::TimedOut: return "timed out";
    case KernelVerdict::Unknown: return "unknown";
  }
  return "";
}

bool is_wrong(KernelVerdict verdict) {
  switch (verdict) {
    case KernelVerdict::WrongResult:
    case KernelVerdict::Race:
    case KernelVerdict::Fault:
    case KernelVerdict::DoesNotCompile:
    case KernelVerdict::CannotLaunch: return true;
    case KernelVerdict::Correct:
    case KernelVerdict::TimedOut:
    case KernelVerdict::Unknown: break;
  }
  return false;
}

std::string_view to_string(KernelResults::State state) {
  switch (state) {
    case KernelResults::State::NotCompared: return "not compared";
    case KernelResults::State::Equal: return "equal";
    case KernelResults::State::Different: return "different";
  }
  return "";
}

const KernelFault* KernelScore::fault(JudgedVerdict kind) const {
  const auto found = std::ranges::find(faults, kind, &KernelFault::kind);
  return found == faults.end() ? nullptr : &*found;
}

bool KernelScore::hides_race() const {
  return results.state == KernelResults::State::Equal && fault(JudgedVerdict::Race) != nullptr;
}

std::map<KernelVerdict, std::size_t> KernelScores::counts() const {
  std::map<KernelVerdict, std::size_t> counts;
  for (const ScoredTask& task : tasks) {
    for (const KernelScore& score : task.candidates) ++counts[score.verdict];
  }
  return counts;
}

std::size_t KernelScores::hidden_races() const {
  std::size_t count = 0;
  for (const ScoredTask& task : tasks) {
    count += static_cast<std::size_t>(std::ranges::count_if(task.candidates, &KernelScore::hides_race));
  }
  return count;
}

bool KernelScores::has_useless_reference() const {
  return std::ranges::any_of(tasks, [](const ScoredTask& task) {
    const KernelVerdict verdict = task.reference.verdict;
    return verdict == KernelVerdict::Fault || verdict == KernelVerdict::DoesNotCompile ||
           verdict == KernelVerdict::CannotLaunch;
  });
}

}  // namespace ambit::report
