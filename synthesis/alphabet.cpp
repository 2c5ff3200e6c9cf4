#include "synthesis/alphabet.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace ambit::synthesis {
namespace {

struct NamedSet {
  std::string_view name;
  std::string_view acts;
};
constexpr std::array<NamedSet, 7> kSets = {{
    {"plain", "Rx,Wx"},
    {"relaxed", "Rx.rlx.cta,Rx.rlx.gpu,Wx.rlx.cta,Wx.rlx.gpu"},
    {"relacq", "Rx.acq.cta,Rx.acq.gpu,Wx.rel.cta,Wx.rel.gpu"},
    {"updates", "Ux.rlx.cta,Ux.rlx.gpu"},
    {"fences", "F.sc.cta,F.sc.gpu"},
    {"locks", "Lk.cta,Nk.cta,Lk.gpu,Nk.gpu"},
    {"barriers", "B"},
}};

/// Inserts a cell into a statement: for example, returns "Rx.rlx.gpu" for "R.rlx.gpu".
std::string with_cell(std::string_view word) {
  const std::string_view rest = word.substr(1);
  const std::string_view cell = std::string_view("RWU").find(word[0]) != std::string_view::npos  ? "x"
                                : std::string_view("LN").find(word[0]) != std::string_view::npos ? "k"
                                                                                                 : "";
  return fmt::format("{}{}{}", word[0], rest.starts_with(cell) ? "" : cell, rest);
}

}  // namespace

Result<Alphabet> Alphabet::read(std::string_view text, const std::string& origin) {
  Alphabet alphabet;
  bool guards = false;
  const auto source = std::make_shared<const SourceFile>(SourceFile{origin, std::string(text)});
  const auto add = [&](std::string_view word) {
    const auto skeleton = skeleton_named(fmt::format("{}@0", word));
    if (!skeleton || skeleton->size() != 1) return false;
    alphabet.acts_.push_back(skeleton->threads[0].acts[0]);
    return true;
  };
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    const auto set = std::find_if(kSets.begin(), kSets.end(), [&](const NamedSet& one) { return one.name == word; });
    if (set != kSets.end()) {
      std::string_view rest = set->acts;
      while (!rest.empty()) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        add(rest.substr(0, comma));
        rest.remove_prefix(std::min(comma + 1, rest.size()));
      }
    } else if (word == "guards") {
      guards = true;
    } else if (word.empty() || !add(with_cell(word))) {
      return Diagnostic{source,
                        {1, static_cast<std::uint32_t>(at + 1), static_cast<std::uint32_t>(word.size())},
                        fmt::format("unknown statement '{}'", word),
                        "examples of statements: R, W.rel.gpu, U.rlx.cta, F.sc.gpu, L.gpu, N.gpu, B; sets: plain, "
                        "relaxed, relacq, updates, fences, locks, barriers, guards"};
    }
    at = end + 1;
  }
  if (guards) {
    for (std::size_t i = 0, count = alphabet.acts_.size(); i < count; ++i) {
      if (!alphabet.acts_[i].is_access()) continue;
      alphabet.acts_.push_back(alphabet.acts_[i]);
      alphabet.acts_.back().is_guarded = true;
    }
  }
  std::sort(alphabet.acts_.begin(), alphabet.acts_.end());
  alphabet.acts_.erase(std::unique(alphabet.acts_.begin(), alphabet.acts_.end()), alphabet.acts_.end());
  return alphabet;
}

}  // namespace ambit::synthesis
