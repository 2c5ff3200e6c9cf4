#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/program.h"

namespace ambit::cuda {

/// The code of a thread that represents whole warps (warpgroups.h). The code consists of steps of three kinds. For most
/// instructions, the leader is the only lane that executes the instruction. The first warp executes barriers of the
/// block. All lanes execute wgmma and barriers of the cluster. The warps synchronise between steps. A leader that jumps
/// out of its step passes the target to the other lanes.
class GroupText {
 public:
  /// `thread` must outlive this object.
  explicit GroupText(const Thread& thread);

  /// Returns the text before an instruction and its label. The text ends the previous step and begins the next step.
  std::string before(std::size_t instruction);
  /// Ends the last step.
  std::string end();
  /// Returns the statement for a jump of the instruction `from` to the instruction `target`, whose label is `label`
  /// ("L3" or "D1"). If `target` is kOutside, the jump goes to the end of all steps.
  std::string jump(std::size_t from, std::size_t target, const std::string& label);
  /// Returns the text of a barrier after all steps. Adds a condition if only some lanes execute the barrier.
  std::string barrier(const Barrier& barrier, const std::string& text) const;
  /// Returns the declarations of the variables. The caller must first write all jumps.
  std::string declarations() const;
  /// Returns the end of the thread's code. This code waits for the thread's products and prevents the compiler from
  /// dropping them. `results` is the part that only the leader executes.
  std::string results(const std::string& results) const;

  static constexpr std::size_t kOutside = static_cast<std::size_t>(-1);

 private:
  enum class Who : std::uint8_t { Leader, FirstWarp, All };
  struct Step {
    std::size_t first = 0;
    Who who = Who::Leader;
    bool is_target = false;            ///< target of a jump from another step
    std::vector<std::string> exits{};  ///< labels of jumps out of the step
  };
  static Who who_executes(const Instruction& instruction);
  std::size_t step_of(std::size_t instruction) const;
  void cut_at_targets();
  std::string open(const Step& step) const;
  std::string close(const Step& step) const;
  std::string meet() const;

  const Thread& thread_;
  std::uint32_t warps_;
  std::vector<Step> steps_;
  std::size_t open_ = 0;  ///< number of the open step plus 1; 0 if no step is open
};

}  // namespace ambit::cuda
