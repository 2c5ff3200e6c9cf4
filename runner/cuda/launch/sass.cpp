#include "runner/cuda/launch/sass.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>

#include "base/trimmed.h"

namespace ambit::cuda {
namespace {

constexpr std::string_view kLineMark = "//## File ";
constexpr std::string_view kLineWord = ", line ";

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    if (end > begin) parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::uint32_t number_after(std::string_view text, std::string_view word) {
  const std::size_t at = text.find(word);
  std::uint32_t value = 0;
  if (at != text.npos) std::from_chars(text.data() + at + word.size(), text.data() + text.size(), value);
  return value;
}

/// Returns whether the instruction is a jump that is always taken. Control never continues after this
/// jump.
bool leaves(std::string_view name, std::string_view operands, bool is_predicated) {
  if (is_predicated) return false;
  if (name == "BRA") return operands.starts_with('`') || operands.starts_with('(');  // others are conditional
  constexpr std::array<std::string_view, 5> kEnds = {"EXIT", "RET", "BRX", "JMP", "KILL"};
  return std::any_of(kEnds.begin(), kEnds.end(), [&](std::string_view end) {
    return name == end || (name.starts_with(end) && name[end.size()] == '.');
  });
}

// ---- the expected machine code of PTX instructions ----

/// The relevant words of a machine instruction. For example, the relevant words of LDG.E.STRONG.SM are LDG, STRONG and
/// CTA, because SM means CTA.
using Words = std::multiset<std::string>;

Words words_of(const std::string& name) {
  const std::vector<std::string> parts = split(name, '.');
  Words words(parts.begin(), parts.end());
  const bool is_access = !parts.empty() && (parts[0].starts_with("LD") || parts[0].starts_with("ST"));
  words.erase("E");                                                // The word means 64-bit addresses.
  words.erase("U");                                                // On sm_75, loads of shared memory have this word.
  words.erase("DEFER_BLOCKING");                                   // The word describes only how a barrier waits.
  if (is_access && !words.contains("STRONG")) words.erase("SYS");  // On sm_75, weak accesses have this word.
  if (words.erase("SM") > 0) words.insert("CTA");  // From sm_80 on, instructions have SM instead of CTA.
  std::erase_if(words, [](const std::string& word) { return word.starts_with("LTC"); });  // hints to the cache
  return words;
}

/// One expected machine instruction: a name from `names`, and all words in `words`.
struct Due {
  std::vector<std::string> names;
  Words words;
  Words instead{};  ///< another form of the instruction; may be empty

  bool is(const Words& found) const {
    if (!instead.empty() && found == instead) return true;
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      Words wanted = words;
      // Shared memory is local to the block, so instructions on it have no words for strength or scope.
      if (name == "LDS" || name == "STS" || name == "ATOMS") {
        for (const char* word : {"STRONG", "CTA", "GPU", "SYS"}) wanted.erase(word);
      }
      wanted.insert(name);
      return found == wanted;
    });
  }
  bool invalidates() const { return words.contains("IVALL"); }
  std::string text() const {
    return fmt::format("{}{}{}", fmt::join(names, "|"), words.empty() ? "" : ".", fmt::join(words, "."));
  }
};

/// The machine code that is expected for a PTX instruction.
class Expansion {
 public:
  explicit Expansion(std::string_view ptx) : words_(split(ptx, '.')) {
    if (words_.empty()) return;
    if (words_[0] == "fence") {
      fence();
    } else if (words_[0] == "bar" || words_[0] == "barrier") {
      barrier();
    } else {
      access();
    }
  }

  const std::vector<Due>& due() const { return due_; }

  /// Compares the machine instructions from `at` on with the expected instructions. If all match, returns the index
  /// after the last matched machine instruction.
  std::optional<std::size_t> match(const std::vector<Words>& found, std::size_t at) const {
    bool is_shared = false;
    for (const Due& due : due_) {
      while (at < found.size() && !due.is(found[at]) && is_extra(found[at])) ++at;
      if (at < found.size() && due.is(found[at])) {
        is_shared = found[at].contains("LDS") || found[at].contains("ATOMS");
        ++at;
      } else if (!is_shared || !due.invalidates()) {  // shared memory has no cache
        return std::nullopt;
      }
    }
    while (at < found.size() && is_extra(found[at])) ++at;
    return at;
  }

  bool is_extra(const Words& found) const { return std::find(extras_.begin(), extras_.end(), found) != extras_.end(); }

 private:
  bool has(std::string_view word) const { return std::find(words_.begin(), words_.end(), word) != words_.end(); }

  /// Returns the scope's name in machine code. Machine code has no scope between block and device.
  std::string scope() const {
    if (has("cta")) return "CTA";
    return has("sys") || has("volatile") ? "SYS" : "GPU";
  }
  bool is_wider_than_block() const { return scope() != "CTA"; }

  void membar(const std::string& kind) { due_.push_back({{"MEMBAR"}, {kind, scope()}}); }
  void invalidate() {
    if (is_wider_than_block()) due_.push_back({{"CCTL"}, {"IVALL"}});
  }

  void fence() {
    if (has("alias")) {
      due_ = {{{"MEMBAR"}, {"SC", "GPU"}}, {{"CCTL"}, {"IVALL"}}};
      extras_ = {{"MEMBAR", "SC", "SYS"}};
      return;
    }
    if (has("async")) {
      due_ = {{{"MEMBAR"}, {"ALL", "GPU"}}, {{"FENCE"}, {"VIEW", "ASYNC", "S"}}};
      return;
    }
    if (has("sc")) membar("SC");
    if (has("acq_rel") || has("release")) membar("ALL");
    if (!has("release")) invalidate();
  }

  void barrier() {
    if (has("warp")) return;
    if (!has("cluster")) {
      due_ = {{{"BAR"}, {has("arrive") ? "ARV" : "SYNC"}}};
      return;
    }
    if (has("wait")) {
      due_ = {{{"UCGABAR_WAIT"}, {}}, {{"CCTL"}, {"IVALL"}}};
      extras_ = {{"BAR", "SYNC"}};
      return;
    }
    if (!has("relaxed")) due_.push_back({{"MEMBAR"}, {"ALL", "GPU"}});
    due_.push_back({{"UCGABAR_ARV"}, {}});
  }

  void access() {
    const bool is_plain = words_[0] == "ld" || words_[0] == "st";
    const bool is_generic = !has("global");
    if (has("release") || has("acq_rel")) membar("ALL");
    Due main;
    if (!has("weak")) main.words = {"STRONG", scope()};
    if (words_[0] == "ld") main.names = {"LDG", "LD"};
    if (words_[0] == "st") main.names = {"STG", "ST"};
    if (words_[0] == "atom") main.names = {"ATOMG", "ATOM"};
    if (words_[0] == "red") main.names = {"REDG", "RED", "ATOMG", "ATOM"};
    if (is_generic) main.names.emplace_back(is_plain ? (words_[0] == "ld" ? "LDS" : "STS") : "ATOMS");
    add_type(main, is_plain);
    if (has("b16")) {  // the machine code is a loop on the word that contains the two bytes
      due_.push_back(
          {is_generic ? std::vector<std::string>{"LDG", "LD", "LDS"} : std::vector<std::string>{"LDG", "LD"}, {}});
    } else if (!is_plain && is_generic && has_64_bits()) {
      // Shared memory has only atomic exchange and compare-exchange. The compiler implements other atomics by a loop.
      main.instead = {"ATOMS", "CAST", "SPIN", "64"};
      extras_ = {{"QSPC", "S"}, {"LDS", "64"}, main.instead, {"LD", "64"}, {"ST", "64"}};
    }
    due_.push_back(std::move(main));
    if (has("acquire") || has("acq_rel")) invalidate();
  }

  bool has_64_bits() const { return words_.back().ends_with("64"); }

  void add_type(Due& due, bool is_plain) const {
    const std::string& type = words_.back();
    if (is_plain) {
      if (type.ends_with("64")) due.words.insert("64");
      if (type.ends_with("128")) due.words.insert("128");
      if (type == "s8" || type == "u8" || type == "s16" || type == "u16") {
        due.words.insert((type[0] == 's' ? "S" : "U") + type.substr(1));
      }
      return;
    }
    std::string operation = words_[words_.size() - 2];
    std::transform(operation.begin(), operation.end(), operation.begin(),
                   [](char c) { return static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c); });
    due.words.insert(operation);
    const bool compares = operation == "MIN" || operation == "MAX";
    if (compares && type[0] == 's') {
      due.words.insert("S" + type.substr(1));
    } else if (type.ends_with("64")) {
      due.words.insert("64");
    } else if (type.ends_with("128")) {
      due.words.insert("128");
    }
  }

  std::vector<std::string> words_;
  std::vector<Due> due_;
  std::vector<Words> extras_;  ///< instructions that may appear anywhere in addition
};

}  // namespace

std::vector<SassInstruction> read_sass(std::string_view listing) {
  std::vector<SassInstruction> found;
  std::uint32_t line = 0;
  bool is_new_place = true;  // the next line mark is the first of its group and names the innermost place
  bool is_reached = true;
  for (const std::string& raw : split(listing, '\n')) {
    std::string_view text = trimmed(raw);
    if (text.starts_with(kLineMark)) {
      if (is_new_place) line = number_after(text, kLineWord);
      is_new_place = false;
      continue;
    }
    if (!text.starts_with("/*")) continue;
    is_new_place = true;
    const std::size_t end = text.find("*/");
    if (end == text.npos) continue;
    text = trimmed(text.substr(end + 2));
    SassInstruction instruction{line, {}, false, is_reached};
    if (text.starts_with('@')) {
      const std::size_t space = std::min(text.find(' '), text.size());
      instruction.is_predicated = true;
      text = trimmed(text.substr(space));
    }
    const std::size_t space = std::min(text.find_first_of(" ;"), text.size());
    instruction.name = std::string(text.substr(0, space));
    if (instruction.name.empty()) continue;
    is_reached = !leaves(instruction.name, trimmed(text.substr(space)), instruction.is_predicated);
    found.push_back(std::move(instruction));
  }
  return found;
}

bool acts_on_memory(const SassInstruction& instruction) {
  constexpr std::array<std::string_view, 18> kNames = {
      "LD",   "LDG",    "LDS", "ST",    "STG",  "STS", "ATOM",        "ATOMG",        "ATOMS",
      "REDG", "MEMBAR", "RED", "FENCE", "CCTL", "BAR", "UCGABAR_ARV", "UCGABAR_WAIT", "QSPC"};
  const std::string_view name = instruction.name;
  return std::find(kNames.begin(), kNames.end(), name.substr(0, name.find('.'))) != kNames.end();
}

std::string check_expansion(std::string_view ptx, const std::vector<std::string>& sass) {
  const Expansion expansion(ptx);
  std::vector<Words> found;
  found.reserve(sass.size());
  for (const std::string& name : sass) found.push_back(words_of(name));
  for (std::size_t at = 0; at < found.size() || (sass.empty() && !expansion.due().empty());) {
    const auto next = expansion.match(found, at);
    if (!next || *next == at) {
      std::vector<std::string> due;
      for (const Due& one : expansion.due()) due.push_back(one.text());
      return due.empty() ? "nothing" : fmt::format("{}", fmt::join(due, "; "));
    }
    at = *next;
  }
  return {};
}

bool are_mere_extras(std::string_view ptx, const std::vector<std::string>& sass) {
  const Expansion expansion(ptx);
  return std::all_of(sass.begin(), sass.end(),
                     [&](const std::string& name) { return expansion.is_extra(words_of(name)); });
}

bool may_leave_nothing(std::string_view ptx) { return Expansion(ptx).due().empty(); }

}  // namespace ambit::cuda
