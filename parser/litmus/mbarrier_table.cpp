#include "parser/litmus/mbarrier_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace ambit::parser::litmus {

void MbarrierTable::note_init(ObjectId object, Value count, SourceSpan span) {
  if (is_settled_) return;
  Note& note = notes_.try_emplace(object, Note{.use = {}, .span = span}).first->second;
  note.counts_differ |= note.count && *note.count != count;
  note.count = std::max(note.count.value_or(count), count);
  ++note.use.inits;
}

void MbarrierTable::note(ObjectId object, const ptx::MbarrierUse& use, SourceSpan span) {
  if (is_settled_) return;
  ptx::MbarrierUse& all = notes_.try_emplace(object, Note{.use = {}, .span = span}).first->second.use;
  all.unit = std::gcd(all.unit, use.unit);
  all.bytes += use.bytes;
  all.later += use.later;
  all.has_drop = all.has_drop || use.has_drop;
  all.is_packed = all.is_packed || use.is_packed;
  all.is_invalidated = all.is_invalidated || use.is_invalidated;
}

void MbarrierTable::note_producer(Value state) {
  if (!is_settled_) ++producers_[state];
}

Value MbarrierTable::producers(Value state) const {
  const auto found = producers_.find(state);
  return found == producers_.end() ? 0 : found->second;
}

void MbarrierTable::settle(Program& program, Reporter& reporter) {
  is_settled_ = true;
  for (auto& [id, note] : notes_) {
    MemoryObject& object = program.objects[id];
    if (!note.count) {
      reporter.error(note.span, fmt::format("no thread initialises the mbarrier '{}'", object.name),
                     "let one thread call init(&bar, COUNT), then __syncthreads()");
      continue;
    }
    // If the mbarriers of an array have different counts, each cell stores its own count.
    note.use.has_drop = note.use.has_drop || note.counts_differ;
    note.use.is_packed = note.use.is_packed || note.use.inits > object.length || note.counts_differ;
    note.layout.emplace(note.use, *note.count, object.type);
    if (!note.layout->fits()) {
      reporter.error(note.span, fmt::format("the counts of the mbarrier '{}' need too many bits", object.name),
                     "copy fewer bytes, or let fewer threads arrive");
    }
    object.mbarrier = note.layout->cell();
  }
}

const ptx::MbarrierLayout& MbarrierTable::layout(ObjectId object) const {
  static const ptx::MbarrierLayout kSome(ptx::MbarrierUse{.unit = 1, .bytes = 1, .is_packed = true}, 1,
                                         kUnsignedLongLong);
  const auto found = notes_.find(object);
  return found == notes_.end() || !found->second.layout ? kSome : *found->second.layout;
}

}  // namespace ambit::parser::litmus
