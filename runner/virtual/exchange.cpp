#include "runner/virtual/exchange.h"

#include <array>
#include <cstring>

#include <fmt/format.h>

#include "runner/virtual/groups.h"
#include "runner/virtual/machine.h"

namespace ambit::virtual_gpu {
namespace {

/// The lanes of one frame that take part in an exchange at one instruction.
struct Participant {
  std::uint8_t* frame;
  const Instruction* at;
  const ExchangeOperation* operation;
  std::uint32_t lanes;
};

struct Participants {
  std::array<Participant, kLanes> list;  ///< uninitialised: the array is large, and few elements are used
  std::size_t count = 0;
  std::uint32_t lanes = 0;

  void add(std::uint8_t* frame, const Instruction* at, const ExchangeOperation* operation, std::uint32_t of) {
    list[count++] = {frame, at, operation, of};
    lanes |= of;
  }
};

const ExchangeOperation& operation_of(const Frame& frame, const Instruction& instruction) {
  return frame.function->exchanges[instruction.extra];
}

std::uint64_t value_of(const std::uint8_t* frame, std::uint32_t offset, std::uint8_t bytes, unsigned lane) {
  std::uint64_t value = 0;
  std::memcpy(&value, frame + offset + std::size_t{lane} * bytes, bytes);
  return value;
}

std::uint32_t word_of(const std::uint8_t* frame, std::uint32_t offset, unsigned lane) {
  return static_cast<std::uint32_t>(value_of(frame, offset, 4, lane));
}

void set_word(std::uint8_t* frame, std::uint32_t offset, unsigned lane, std::uint32_t value) {
  if (offset != kDiscarded) std::memcpy(frame + offset + std::size_t{lane} * 4, &value, 4);
}

void set_predicate(std::uint8_t* frame, std::uint32_t offset, unsigned lane, bool value) {
  if (offset == kDiscarded) return;
  std::uint32_t mask = 0;
  std::memcpy(&mask, frame + offset, 4);
  mask = (mask & ~(1U << lane)) | static_cast<std::uint32_t>(value) << lane;
  std::memcpy(frame + offset, &mask, 4);
}

/// Returns the lane from which `lane` takes its value. If the source lane is out of range, `lane` keeps its own value
/// and the predicate is false (PTX ISA 9.0, section 9.7.9.6).
unsigned shuffle_source(ExchangeMode mode, unsigned lane, std::uint32_t b, std::uint32_t c, bool& is_in_range) {
  const auto from = static_cast<int>(b & 31U);
  const auto clamp = static_cast<int>(c & 31U);
  const auto segments = static_cast<int>(c >> 8U & 31U);
  const auto own = static_cast<int>(lane);
  const int highest = (own & segments) | (clamp & ~segments);
  const int lowest = own & segments;
  int source;  // every case assigns `source`
  switch (mode) {
    case ExchangeMode::Up:
      source = own - from;
      is_in_range = source >= highest;
      break;
    case ExchangeMode::Down:
      source = own + from;
      is_in_range = source <= highest;
      break;
    case ExchangeMode::Butterfly:
      source = own ^ from;
      is_in_range = source <= highest;
      break;
    default:
      source = lowest | (from & ~segments);
      is_in_range = source <= highest;
      break;
  }
  return static_cast<unsigned>(is_in_range ? source : own);
}

void shuffle(const Participants& all) {
  std::array<std::uint32_t, kLanes> sources{};
  for (std::size_t i = 0; i < all.count; ++i) {
    const Participant& one = all.list[i];
    for_each_lane(one.lanes, [&](unsigned lane) { sources[lane] = word_of(one.frame, one.operation->source, lane); });
  }
  for (std::size_t i = 0; i < all.count; ++i) {
    const Participant& one = all.list[i];
    const ExchangeOperation& operation = *one.operation;
    for_each_lane(one.lanes, [&](unsigned lane) {
      bool is_in_range = false;
      const std::uint32_t b = word_of(one.frame, operation.lane, lane);
      const std::uint32_t c = word_of(one.frame, operation.clamp, lane);
      const unsigned from = shuffle_source(operation.mode, lane, b, c, is_in_range);
      // The value of a lane that does not take part is undefined. A lane that would read such a value keeps its own
      // value.
      const bool takes_part = (all.lanes >> from & 1U) != 0;
      set_word(one.frame, operation.result, lane, sources[takes_part ? from : lane]);
      set_predicate(one.frame, operation.predicate, lane, is_in_range);
    });
  }
}

void vote(const Participants& all) {
  std::uint32_t holds = 0;
  for (std::size_t i = 0; i < all.count; ++i) {
    const Participant& one = all.list[i];
    std::uint32_t predicate = 0;
    std::memcpy(&predicate, one.frame + one.operation->source, 4);
    holds |= (one.operation->negates ? ~predicate : predicate) & one.lanes;
  }
  for (std::size_t i = 0; i < all.count; ++i) {
    const Participant& one = all.list[i];
    const ExchangeOperation& operation = *one.operation;
    bool result = false;
    switch (operation.mode) {
      case ExchangeMode::All: result = holds == all.lanes; break;
      case ExchangeMode::Any: result = holds != 0; break;
      case ExchangeMode::Uniform: result = holds == 0 || holds == all.lanes; break;
      default: break;
    }
    for_each_lane(one.lanes, [&](unsigned lane) {
      if (operation.mode == ExchangeMode::Ballot) {
        set_word(one.frame, operation.result, lane, holds);
      } else {
        set_predicate(one.frame, operation.result, lane, result);
      }
    });
  }
}

void match(const Participants& all) {
  std::array<std::uint64_t, kLanes> found{};
  for (std::size_t i = 0; i < all.count; ++i) {
    const Participant& one = all.list[i];
    for_each_lane(one.lanes, [&](unsigned lane) {
      found[lane] = value_of(one.frame, one.operation->source, one.operation->bytes, lane);
    });
  }
  for (std::size_t i = 0; i < all.count; ++i) {
    const Participant& one = all.list[i];
    for_each_lane(one.lanes, [&](unsigned lane) {
      std::uint32_t same = 0;
      for_each_lane(all.lanes, [&](unsigned other) { same |= found[other] == found[lane] ? 1U << other : 0U; });
      if (one.operation->mode == ExchangeMode::All) {
        const bool are_equal = same == all.lanes;
        set_word(one.frame, one.operation->result, lane, are_equal ? all.lanes : 0);
        set_predicate(one.frame, one.operation->predicate, lane, are_equal);
      } else {
        set_word(one.frame, one.operation->result, lane, same);
      }
    });
  }
}

std::uint32_t reduced(const ExchangeOperation& operation, std::uint32_t a, std::uint32_t b) {
  const bool is_less = operation.is_signed ? static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) : a < b;
  switch (operation.mode) {
    case ExchangeMode::And: return a & b;
    case ExchangeMode::Or: return a | b;
    case ExchangeMode::Xor: return a ^ b;
    case ExchangeMode::Minimum: return is_less ? a : b;
    case ExchangeMode::Maximum: return is_less ? b : a;
    default: return a + b;
  }
}

void reduce(const Participants& all) {
  std::uint32_t result = 0;
  bool is_first = true;
  for (std::size_t i = 0; i < all.count; ++i) {
    const Participant& one = all.list[i];
    for_each_lane(one.lanes, [&](unsigned lane) {
      const std::uint32_t value = word_of(one.frame, one.operation->source, lane);
      result = is_first ? value : reduced(*one.operation, result, value);
      is_first = false;
    });
  }
  for (std::size_t i = 0; i < all.count; ++i) {
    const Participant& one = all.list[i];
    for_each_lane(one.lanes, [&](unsigned lane) { set_word(one.frame, one.operation->result, lane, result); });
  }
}

void elect(const Participants& all) {
  const auto leader = static_cast<unsigned>(__builtin_ctz(all.lanes));
  for (std::size_t i = 0; i < all.count; ++i) {
    const Participant& one = all.list[i];
    for_each_lane(one.lanes, [&](unsigned lane) {
      set_word(one.frame, one.operation->result, lane, leader);
      set_predicate(one.frame, one.operation->predicate, lane, lane == leader);
    });
  }
}

void perform(const Participants& all) {
  switch (all.list[0].operation->kind) {
    case ExchangeKind::WarpSync: break;
    case ExchangeKind::Shuffle: shuffle(all); break;
    case ExchangeKind::Vote: vote(all); break;
    case ExchangeKind::Match: match(all); break;
    case ExchangeKind::Reduce: reduce(all); break;
    case ExchangeKind::Elect: elect(all); break;
  }
}

void tell(Warp& warp, const Participants& all) {
  Observer* observer = warp.machine->observer();
  if (observer == nullptr) return;
  const bool orders = all.list[0].operation->kind == ExchangeKind::WarpSync;
  observer->warp_barrier(all.list[0].at->site, warp.block->number, warp.number, all.lanes, orders);
}

/// Returns the active lanes whose member mask is `members`. The mask is a constant in most programs.
std::uint32_t lanes_with(Warp& warp, std::uint32_t offset, std::uint32_t members) {
  const std::uint32_t* masks = values<std::uint32_t>(warp, offset);
  std::uint32_t different = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) different |= masks[lane] ^ members;
  if (different == 0) return warp.mask;
  std::uint32_t same = 0;
  for_each_lane(warp.mask, [&](unsigned lane) { same |= masks[lane] == members ? 1U << lane : 0U; });
  return same;
}

}  // namespace

void execute_exchange(WarpCore& core, const Instruction& instruction) {
  Warp& warp = whole(core);
  const ExchangeOperation& operation = operation_of(*warp.running_frame, instruction);
  const auto first = static_cast<unsigned>(__builtin_ctz(warp.mask));
  const std::uint32_t members = word_of(warp.frame, operation.members, first);
  const std::uint32_t same = lanes_with(warp, operation.members, members);
  if ((same & ~members) != 0) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(same & ~members));
    Finding wrong = Machine::finding(warp, instruction, lane, FindingKind::IllegalInstruction);
    wrong.message =
        fmt::format("lane {} is not in the member mask {:#010x} of the instruction that it executes", lane, members);
    warp.machine->fault(warp, LaunchEnd::IllegalInstruction, wrong);
    return;
  }
  if (same == warp.mask && (members & warp.alive) == same) {
    Participants alone;
    alone.add(warp.frame, &instruction, &operation, same);
    perform(alone);
    tell(warp, alone);
    return;
  }
  const std::uint32_t others = warp.mask & ~same;
  const std::uint32_t past = warp.active & ~warp.mask;
  const Instruction* next = warp.next;
  warp.active = same;
  park(warp, &instruction, GroupState::Exchange).member_mask = members;
  warp.active = others;
  set_aside(warp, &instruction);
  warp.active = past;
  set_aside(warp, next);
  complete_exchanges(warp);
}

void execute_exchange_of_active(WarpCore& core, const Instruction& instruction) {
  Warp& warp = whole(core);
  Participants alone;
  alone.add(warp.frame, &instruction, &operation_of(*warp.running_frame, instruction), warp.mask);
  perform(alone);
}

void complete_exchanges(Warp& warp) {
  for (std::size_t i = 0; i < warp.groups.size(); ++i) {
    if (warp.groups[i].state != GroupState::Exchange) continue;
    const std::uint32_t members = warp.groups[i].member_mask;
    const ExchangeOperation& kind = operation_of(*warp.groups[i].frame, *warp.groups[i].at);
    Participants all;
    const auto takes_part = [&](const Group& group) {
      return group.state == GroupState::Exchange && group.member_mask == members &&
             kind.meets(operation_of(*group.frame, *group.at));
    };
    for (const Group& group : warp.groups) {
      if (takes_part(group)) {
        all.add(group.frame->data(), group.at, &operation_of(*group.frame, *group.at), group.lanes);
      }
    }
    if ((members & warp.alive & ~all.lanes) != 0) continue;
    perform(all);
    tell(warp, all);
    for (Group& group : warp.groups) {
      if (!takes_part(group)) continue;
      group.state = GroupState::Runnable;
      ++group.at;
      group.polls = 0;
    }
  }
}

}  // namespace ambit::virtual_gpu
