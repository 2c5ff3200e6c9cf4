#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/source.h"
#include "synthesis/skeleton.h"

namespace ambit::synthesis {

/// The statements of programs, without cells: "R,W,R.rlx.gpu,F.sc.gpu".
class Alphabet {
 public:
  /// Reads a list of statements, separated by commas, or sets of them: `plain` (R, W), `relaxed`, `relacq`, `updates`
  /// (each at cta and gpu scope), `fences` (fence.sc at cta and gpu scope), `locks`, `barriers`, `guards` (all
  /// statements of the list also guarded). Errors: unknown statements, in a file called `origin`.
  static Result<Alphabet> read(std::string_view text, const std::string& origin);

  const std::vector<Act>& acts() const { return acts_; }

 private:
  std::vector<Act> acts_;  ///< rising, cell 0
};

}  // namespace ambit::synthesis
