#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "synthesis/skeleton.h"

namespace ambit::synthesis {

/// The statements that programs may contain, without cells: "R,W,R.rlx.gpu,F.sc.gpu".
class Alphabet {
 public:
  /// Reads a list of statements and sets of statements, separated by commas. The sets are `plain` (R, W), `relaxed`,
  /// `relacq`, `updates` (each at cta and gpu scope), `fences` (fence.sc at cta and gpu scope), `locks`, `barriers`,
  /// and `guards` (all other statements of the list, guarded). An unknown statement is an error in the file `origin`.
  static Result<Alphabet> read(std::string_view text, const std::string& origin);

  const std::vector<Act>& acts() const { return acts_; }

 private:
  std::vector<Act> acts_;  ///< the statements in increasing order, all with cell 0
};

}  // namespace ambit::synthesis
