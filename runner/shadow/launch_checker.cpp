#include "runner/shadow/launch_checker.h"

#include <array>
#include <bit>
#include <optional>
#include <span>

#include "detector/algorithms/causal_order.h"
#include "detector/algorithms/happens_before.h"
#include "runner/shadow/event_of_access.h"
#include "runner/shadow/shadow_memory.h"

namespace ambit::shadow {
namespace {

using detector::LaunchHistory;
using detector::LineRecord;
using detector::PatchedClocks;
using detector::WordRecord;
using virtual_gpu::AccessSpace;

constexpr std::size_t kBytesOfRecord = 32;
static_assert(sizeof(WordRecord) <= kBytesOfRecord && sizeof(LineRecord) <= 2 * kBytesOfRecord);

template <typename Detector, typename Options>
class CheckerOf : public LaunchChecker, public detector::WordRecords {
 public:
  CheckerOf() {
    const auto separate = [this](void* cell) { detector_->history().separate(*static_cast<WordRecord*>(cell)); };
    words_.on_copied = separate;
    shared_words_.on_copied = separate;
    const auto expand = [this](const auto& line, std::byte* cell, unsigned word) {
      detector_->history().expand_word(*reinterpret_cast<const LineRecord*>(line.cells), word,
                                       *reinterpret_cast<WordRecord*>(cell));
    };
    words_.on_expanded = expand;
    shared_words_.on_expanded = expand;
  }

  void set_history_limit(std::size_t bytes) override { history_limit_ = bytes; }
  void begin_launch(const LaunchView& view) override {
    view_.emplace(view);
    Options options;
    options.polling_acquires = false;  // PTX defines this
    detector_.emplace(view.tables, options, *this);
    detector_->history().set_limit(history_limit_);
    words_.begin_launch();
    shared_words_.begin_launch();
  }

  void data(const virtual_gpu::WarpAccess& access, std::uint32_t lanes, std::uint32_t warp,
            std::uint32_t site) override {
    if (access.space == AccessSpace::Shared) {
      data_in(shared_words_.of(access.target_block), access, lanes, warp, site);
    } else {
      data_in(words_, access, lanes, warp, site);
    }
  }

  void apply(std::span<const detector::Action> actions) override { detector_->apply(actions, view_->inference); }
  void use_bytes(const WordPlace& place) override {
    if (place.space == AccessSpace::Shared) return shared_words_.of(place.block).use_bytes(place.address);
    words_.use_bytes(place.address);
  }
  void set_acting_as_warp(bool acts) override { detector_->set_acting_as_warp(acts); }
  void retire(std::uint32_t thread) override { detector_->retire(thread); }
  void end_block(std::uint32_t block) override { shared_words_.end_block(block); }
  std::uint64_t forgotten() override { return detector_->history().forgotten(); }
  std::vector<RaceReport> races() override {
    std::vector<RaceReport> found = detector_->races();
    detector_.reset();
    return found;
  }

  WordRecord& record_of(std::uint32_t location) override {
    const WordPlace& place = view_->places[location];
    WordRecord* record = nullptr;
    const auto take = [&](void* cell, std::uint64_t /*address*/) { record = static_cast<WordRecord*>(cell); };
    if (place.space == AccessSpace::Shared) {
      shared_words_.of(place.block).visit(place.address, 4, true, take);
    } else {
      words_.visit(place.address, 4, true, take);
    }
    return *record;
  }

  std::uint32_t visit_run(std::uint32_t location, const std::function<bool(LineRecord&, int)>& take) override {
    const WordPlace& first = view_->places[location];
    for (std::uint32_t i = 1; i < 32; ++i) {
      const WordPlace& place = view_->places[location + i];
      const bool is_next = place.address == first.address + std::uint64_t{4} * i && place.space == first.space &&
                           place.block == first.block;
      if (!is_next) return ~0U;
    }
    const auto take_line = [&](const auto& line, int offset) {
      return take(*reinterpret_cast<LineRecord*>(line.cells), offset);
    };
    if (first.space == AccessSpace::Shared) return shared_words_.of(first.block).visit_run(first.address, take_line);
    return words_.visit_run(first.address, take_line);
  }

 private:
  template <typename Words>
  void data_in(Words& words, const virtual_gpu::WarpAccess& access, std::uint32_t lanes, std::uint32_t warp,
               std::uint32_t site) {
    const detector::SyncInference& inference = view_->inference;
    const bool has_locks = inference.has_locks();
    const TraceEvent event = event_of(access);
    const bool is_first_only = access.order != Order::Weak || event.is_update();
    const detector::AccessKind kind = detector::kind_of(event.is_write(), inference.is_atomic(event), event.scope);
    // If a page has a cell for each byte, an atomic is recorded at the first byte of its word. A collapsed line of the
    // shadow memory has no cells for single bytes.
    const bool has_byte = is_first_only && access.is_run() && words.has_bytes(access.addresses[0]);
    const bool is_run = access.is_run() && lanes == ~0U && !has_byte;
    if (is_run && !(has_locks && view_->has_locks({access.space, access.target_block, access.addresses[0]}))) {
      lanes = words.visit_run(access.addresses[0], [&](const auto& line, int offset) {
        return detector_->access_run(*reinterpret_cast<LineRecord*>(line.cells), offset, warp, kind, site);
      });
    }
    if (lanes == 0) return;
    detector_->begin_lanes(warp, lanes);
    find_words(words, access, lanes, is_first_only);
    const std::uint32_t context = detector_->history().context_of(site);
    for (const Found& one : std::span(found_.data(), found_words_)) {
      const auto place = [&] { return WordPlace{access.space, access.target_block, one.address}; };
      if (has_locks && view_->is_lock(place())) continue;
      detector_->access_word(*one.record, warp, one.lanes, kind, site, context, inference,
                             [&] { return view_->location_of(place()); });
    }
  }

  /// Stores the words that the lanes access in found_, in the order of the lanes. If adjacent lanes access the same
  /// word, looks up this word only once.
  template <typename Words>
  void find_words(Words& words, const virtual_gpu::WarpAccess& access, std::uint32_t lanes, bool is_first_only) {
    Found* end = found_.data();
    bool is_one = false;
    std::uint64_t last = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
      const int lane = std::countr_zero(lanes);
      const std::uint64_t address = access.addresses[lane];
      if (is_one && address == last) {
        end[-1].lanes |= 1U << lane;
        continue;
      }
      const Found* before = end;
      words.visit(address, access.bytes, is_first_only, [&](void* cell, std::uint64_t of_cell) {
        __builtin_prefetch(cell);
        *end++ = {static_cast<WordRecord*>(cell), of_cell, 1U << lane};
      });
      is_one = end == before + 1;
      last = address;
    }
    found_words_ = static_cast<std::size_t>(end - found_.data());
    if (found_words_ < kManyWords) return;
    for (const Found& one : std::span(found_.data(), found_words_)) detector_->history().fetch_lists(*one.record);
    for (const Found& one : std::span(found_.data(), found_words_)) detector_->history().fetch_entries(*one.record);
  }

  struct Found {
    WordRecord* record;
    std::uint64_t address;
    std::uint32_t lanes;
  };
  /// With at least this many words, prefetching the data of all words saves time.
  static constexpr std::size_t kManyWords = 4;

  std::size_t history_limit_ = LaunchHistory::kDefaultLimit;
  std::optional<LaunchView> view_;
  std::optional<Detector> detector_;
  ShadowMemory<kBytesOfRecord> words_;
  ShadowOfBlocks<kBytesOfRecord> shared_words_;
  /// The results of find_words(). In the worst case, each byte of 32 lanes has a record.
  std::array<Found, std::size_t{32} * 32> found_{};
  std::size_t found_words_ = 0;
};

}  // namespace

std::unique_ptr<LaunchChecker> make_launch_checker(const std::string& name) {
  using detector::CausalOptions;
  using detector::HappensBeforeOptions;
  using Barracuda = CheckerOf<detector::HappensBefore<PatchedClocks, LaunchHistory>, HappensBeforeOptions>;
  using Gwcp = CheckerOf<detector::CausalOrder<PatchedClocks, LaunchHistory>, CausalOptions>;
  if (name == "barracuda") return std::make_unique<Barracuda>();
  if (name == "gwcp") return std::make_unique<Gwcp>();
  return nullptr;
}

}  // namespace ambit::shadow
