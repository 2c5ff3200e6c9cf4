#include "api/check/stm_program.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ambit {
namespace {

// The fields of an ESTM entry, from the lowest bit: lock, shared, modified, thread (15 bits), readers (14 bits).
constexpr Value kLocked = 1, kShared = 2, kModified = 4;
constexpr int kOwnerShift = 3, kReaderShift = 18;
constexpr Value kOwnerMask = Value{0x7fff} << kOwnerShift;
constexpr Value kReader = Value{1} << kReaderShift;
/// The code uses only 3 of the 14 bits for readers, so that entries have few values for the solver. An attempt fails if
/// it would exceed this number of readers, as in stm.cuh.
constexpr Value kMostReaders = 7;
constexpr Value kUsed = ((kMostReaders + 1) << kReaderShift) - 1;

Expr constant(Value value) { return Expr::make_constant(value, kUnsigned); }
Expr reg(RegisterId id) { return Expr::make_register(id, kUnsigned); }
Expr both(Op op, Expr a, Expr b) { return Expr::make(op, kUnsigned, {std::move(a), std::move(b)}); }
Expr bits_of(RegisterId id, Value mask) { return both(Op::BitAnd, reg(id), constant(mask)); }
Expr equals_zero(Expr a) { return both(Op::Equal, std::move(a), constant(0)); }
Expr is_not_zero(Expr a) { return both(Op::NotEqual, std::move(a), constant(0)); }
Expr all_of(Expr a, Expr b) { return both(Op::LogicalAnd, std::move(a), std::move(b)); }
Expr any_of(Expr a, Expr b) { return both(Op::LogicalOr, std::move(a), std::move(b)); }
Expr select(Expr condition, Expr then, Expr otherwise) {
  return Expr::make(Op::Select, kUnsigned, {std::move(condition), std::move(then), std::move(otherwise)});
}

/// Rewrites the code of one thread.
class StmRewriter {
 public:
  StmRewriter(Program& program, std::size_t number, ObjectId entries, const StmProgramOptions& options)
      : program_(program),
        thread_(program.threads[number]),
        me_(static_cast<Value>(number) + 1),
        entries_(entries),
        options_(options) {}

  Diagnostics run() {
    const std::vector<Instruction> old = std::exchange(thread_.code, {});
    std::vector<std::size_t> moved;  // indices of the original jump instructions
    for (std::size_t i = 0; i < old.size(); ++i) {
      positions_.push_back(thread_.code.size());
      span_ = old[i].span;
      const Operation& operation = old[i].operation;
      if (std::holds_alternative<TransactionBegin>(operation)) {
        begin_transaction(old, i);
      } else if (const auto* end = std::get_if<TransactionEnd>(&operation)) {
        end_transaction(*end);
      } else if (is_open_ && access_of(operation) != nullptr) {
        access(operation);
      } else {
        if (is_open_) refuse(operation, i);
        if (std::holds_alternative<Jump>(operation) || std::holds_alternative<Branch>(operation)) {
          moved.push_back(thread_.code.size());
        }
        thread_.code.push_back(old[i]);
      }
    }
    positions_.push_back(thread_.code.size());
    for (const std::size_t at : moved) move_target(thread_.code[at].operation);
    return std::move(errors_);
  }

 private:
  /// Registers for one location that an attempt accesses.
  struct Cell {
    RegisterId owned;      ///< 1 if the attempt owns the entry
    RegisterId old_entry;  ///< in ISTM: the entry before the attempt
    RegisterId written;    ///< 1 if the attempt has written a value for the location
    RegisterId old_value;  ///< the location's value before the attempt
  };
  /// A read that the attempt records in its log.
  struct Read {
    LocationId location;
    RegisterId logged;   ///< 1 if the read took place
    RegisterId version;  ///< in ISTM: the version that the read saw
  };
  using Label = std::size_t;
  enum class End : std::uint8_t { Commit, Abort };

  // ---- code ----

  RegisterId new_register(const char* name) {
    thread_.registers.push_back({std::string("%") + name, kUnsigned, false});
    return static_cast<RegisterId>(thread_.registers.size() - 1);
  }
  /// Returns a new register for a value that is used only within one access.
  RegisterId temporary(const char* name) {
    const auto [found, is_new] = temporaries_.emplace(name, 0);
    if (is_new) found->second = new_register(name);
    return found->second;
  }
  void emit(Operation operation) { thread_.code.push_back({std::move(operation), span_}); }
  void set(RegisterId target, Expr value) { emit(Assign{target, std::move(value)}); }
  Label new_label() {
    labels_.push_back(0);
    return labels_.size() - 1;
  }
  void bind(Label label) { labels_[label] = thread_.code.size(); }
  void jump_if(Expr condition, Label label) {
    pending_.emplace_back(thread_.code.size(), label);
    emit(Branch{std::move(condition), 0, false});
  }
  void jump(Label label) {
    pending_.emplace_back(thread_.code.size(), label);
    emit(Jump{0});
  }
  void set_targets() {
    for (const auto& [at, label] : pending_) {
      Operation& operation = thread_.code[at].operation;
      if (auto* branch = std::get_if<Branch>(&operation)) branch->target = labels_[label];
      if (auto* jump = std::get_if<Jump>(&operation)) jump->target = labels_[label];
    }
    pending_.clear();
  }
  void move_target(Operation& operation) const {
    if (auto* branch = std::get_if<Branch>(&operation)) branch->target = positions_[branch->target];
    if (auto* jump = std::get_if<Jump>(&operation)) jump->target = positions_[jump->target];
  }

  MemoryAccess entry_access(LocationId location, Order order) const {
    MemoryAccess access;
    access.address = Expr::make_constant(make_address(entries_, location), kLongLong);
    access.type = kUnsigned;
    access.order = order;
    access.scope = Scope::Device;
    access.is_atomic = true;
    return access;
  }
  MemoryAccess data_access(LocationId location) const {
    const Location& cell = program_.locations[location];
    MemoryAccess access;
    access.address = Expr::make_constant(make_address(cell.object, cell.index), kLongLong);
    access.type = cell.type;
    access.order = Order::Relaxed;
    access.scope = Scope::Device;
    access.is_atomic = true;
    return access;
  }
  void load_entry(RegisterId target, LocationId location, Order order) {
    emit(Load{target, entry_access(location, order)});
  }
  void store_entry(LocationId location, Expr value, Order order) {
    emit(Store{entry_access(location, order), std::move(value)});
  }
  void swap_entry(RegisterId target, LocationId location, Expr expected, Expr desired) {
    Rmw swap;
    swap.target = target;
    swap.op = RmwOp::CompareExchange;
    swap.access = entry_access(location, Order::Acquire);
    swap.compare = std::move(expected);
    swap.operand = std::move(desired);
    emit(std::move(swap));
  }
  void fence(Order order) { emit(Fence{order, Scope::Device}); }

  // ---- transactions ----

  void refuse(const Operation& operation, std::size_t at) {
    if (std::holds_alternative<Fence>(operation)) fail("the memories of kernels/stm have no fences in transactions");
    const std::size_t* target = jump_target(operation);
    if (target != nullptr && *target <= at)
      fail("the logs of kernels/stm have a fixed length, which a loop can exceed");
  }
  void fail(std::string message) {
    errors_.push_back({program_.source, span_, std::move(message), "the models with transactions support this test"});
  }

  void begin_transaction(const std::vector<Instruction>& old, std::size_t at) {
    is_open_ = true;
    cells_.clear();
    reads_.clear();
    saved_.clear();
    again_ = new_label();
    failed_ = new_label();
    tries_ = new_register("tries");
    set(tries_, constant(0));
    std::set<RegisterId> assigned;
    for (std::size_t i = at; !std::holds_alternative<TransactionEnd>(old[i].operation); ++i) {
      const Operation& operation = old[i].operation;
      if (const auto target = assigned_register(operation)) assigned.insert(*target);
      if (const MemoryAccess* access = access_of(operation)) prepare(*access, operation);
    }
    for (const RegisterId r : assigned) {
      const ScalarType type = thread_.registers[r].type;
      thread_.registers.push_back({"%before", type, false});
      saved_.emplace_back(r, static_cast<RegisterId>(thread_.registers.size() - 1));
      set(saved_.back().second, Expr::make_register(r, type));
    }
    bind(again_);
    next_read_ = 0;
  }

  /// Creates registers for an access of the transaction.
  void prepare(const MemoryAccess& access, const Operation& operation) {
    const std::optional<LocationId> location =
        access.address.is_constant() ? program_.location_at(access.address.constant) : std::nullopt;
    if (!location) return fail("kernels/stm does not support a transaction with an address in a register");
    if (access.type.bits != 32) return fail("the memories of kernels/stm support only words of 32 bits");
    if (!cells_.contains(*location)) {
      const Cell cell{new_register("owned"), new_register("entry"), new_register("written"), new_register("old")};
      cells_.emplace(*location, cell);
    }
    if (!std::holds_alternative<Store>(operation)) {
      reads_.push_back({*location, new_register("logged"), new_register("version")});
    }
  }

  void access(const Operation& operation) {
    const MemoryAccess& access = *access_of(operation);
    const std::optional<LocationId> location =
        access.address.is_constant() ? program_.location_at(access.address.constant) : std::nullopt;
    if (!location || access.type.bits != 32) return;  // prepare() has reported an error
    const RegisterId value = temporary("value");
    if (!std::holds_alternative<Store>(operation)) {
      get_for_read(*location, reads_[next_read_++]);
      emit(Load{value, data_access(*location)});
    }
    const Expr read = Expr::make_cast(reg(value), access.type);
    if (const auto* load = std::get_if<Load>(&operation)) {
      set(load->target, Expr::make_cast(read, thread_.registers[load->target].type));
    } else if (const auto* store = std::get_if<Store>(&operation)) {
      write(*location, store->value);
    } else if (const auto* rmw = std::get_if<Rmw>(&operation)) {
      const Label skip = new_label();
      if (rmw->op == RmwOp::CompareExchange) {
        jump_if(Expr::make(Op::NotEqual, access.type, {read, Expr::make_cast(rmw->compare, access.type)}), skip);
      }
      write(*location, stored_value(*rmw, read));
      bind(skip);
      if (rmw->target) set(*rmw->target, Expr::make_cast(read, thread_.registers[*rmw->target].type));
    }
  }

  void write(LocationId location, const Expr& value) {
    get_for_write(location);
    const Cell& cell = cells_.at(location);
    const RegisterId before = temporary("before");
    emit(Load{before, data_access(location)});
    set(cell.old_value, select(reg(cell.written), reg(cell.old_value), reg(before)));
    set(cell.written, constant(1));
    emit(Store{data_access(location), Expr::make_cast(value, program_.locations[location].type)});
  }

  /// For ESTM: sets the lock bit of an entry. Returns a register with the entry's value without the lock bit.
  RegisterId lock(LocationId location) {
    const RegisterId old = temporary("entry");
    const RegisterId expected = temporary("expected");
    load_entry(old, location, Order::Relaxed);
    const Label again = new_label();
    bind(again);
    set(expected, bits_of(old, ~kLocked & 0xffffffff));
    swap_entry(old, location, reg(expected), both(Op::BitOr, reg(expected), constant(kLocked)));
    if (options_.attempts > 0) {
      emit(Assume{both(Op::Equal, reg(old), reg(expected))});  // a failed compare-and-swap does not write
    } else {
      jump_if(both(Op::NotEqual, reg(old), reg(expected)), again);
    }
    return old;
  }

  // Each function below emits a jump to `failed_`, which the thread takes if the attempt fails.

  void get_for_read(LocationId location, const Read& read) {
    const Cell& cell = cells_.at(location);
    switch (options_.stm) {
      case Stm::Pstm: return own(location);
      case Stm::Istm:
      case Stm::IstmAsPublished:
        load_entry(read.version, location, Order::Acquire);
        jump_if(all_of(is_not_zero(bits_of(read.version, kLocked)), equals_zero(reg(cell.owned))), failed_);
        return set(read.logged, equals_zero(bits_of(read.version, kLocked)));
      case Stm::Estm: break;
    }
    const RegisterId old = lock(location);
    const RegisterId ok = temporary("ok");
    const Expr owner = bits_of(old, kOwnerMask);
    const Expr mine = constant(me_ << kOwnerShift);
    const Expr has_room =
        both(Op::Less, both(Op::ShiftRight, reg(old), constant(kReaderShift)), constant(kMostReaders));
    set(ok, all_of(any_of(equals_zero(bits_of(old, kModified)), both(Op::Equal, owner, mine)), has_room));
    const Expr taken =
        select(equals_zero(owner), both(Op::BitOr, reg(old), mine),
               select(both(Op::Equal, owner, mine), reg(old), both(Op::BitOr, reg(old), constant(kShared))));
    store_entry(location,
                select(reg(ok), both(Op::BitAnd, both(Op::Add, taken, constant(kReader)), constant(kUsed)), reg(old)),
                Order::Release);
    jump_if(equals_zero(reg(ok)), failed_);
    set(read.logged, constant(1));
  }

  void get_for_write(LocationId location) {
    const Cell& cell = cells_.at(location);
    if (options_.stm == Stm::Pstm) return own(location);
    if (options_.stm != Stm::Estm) return lock_for_write(location);
    const RegisterId old = lock(location);
    const RegisterId ok = temporary("ok");
    const Expr owner = bits_of(old, kOwnerMask);
    const Expr mine = constant(me_ << kOwnerShift);
    set(ok, all_of(any_of(equals_zero(owner), both(Op::Equal, owner, mine)), equals_zero(bits_of(old, kShared))));
    const Expr taken =
        both(Op::BitOr, bits_of(old, ~kOwnerMask & 0xffffffff), both(Op::BitOr, mine, constant(kModified)));
    store_entry(location, select(reg(ok), taken, reg(old)), Order::Release);
    jump_if(equals_zero(reg(ok)), failed_);
    set(cell.owned, any_of(reg(cell.owned), equals_zero(bits_of(old, kModified))));
  }

  /// For PSTM: acquires ownership of the entry; the attempt fails if another thread owns the entry.
  void own(LocationId location) {
    const Cell& cell = cells_.at(location);
    const RegisterId old = temporary("owner");
    swap_entry(old, location, constant(0), constant(me_));
    set(cell.owned, any_of(reg(cell.owned), equals_zero(reg(old))));
    jump_if(all_of(is_not_zero(reg(old)), both(Op::NotEqual, reg(old), constant(me_))), failed_);
  }

  /// For ISTM: sets the lock bit of the entry.
  void lock_for_write(LocationId location) {
    const Cell& cell = cells_.at(location);
    const Label has_it = new_label();
    const RegisterId word = temporary("word");
    const RegisterId old = temporary("swapped");
    load_entry(word, location, Order::Relaxed);
    jump_if(all_of(is_not_zero(bits_of(word, kLocked)), equals_zero(reg(cell.owned))), failed_);
    jump_if(is_not_zero(bits_of(word, kLocked)), has_it);
    swap_entry(old, location, reg(word), both(Op::BitOr, reg(word), constant(kLocked)));
    jump_if(both(Op::NotEqual, reg(old), reg(word)), failed_);
    set(cell.owned, constant(1));
    set(cell.old_entry, reg(word));
    fence(Order::AcqRel);
    bind(has_it);
  }

  bool is_istm() const { return options_.stm == Stm::Istm || options_.stm == Stm::IstmAsPublished; }

  void end_transaction(const TransactionEnd& end) {
    is_open_ = false;
    const Label done = new_label();
    const Label aborted = new_label();
    if (end.aborted) jump_if(*end.aborted, aborted);
    if (is_istm()) check_versions();
    release(End::Commit);
    jump(done);
    bind(failed_);
    undo();
    release(End::Abort);
    for (const auto& [r, before] : saved_) set(r, Expr::make_register(before, thread_.registers[r].type));
    set(tries_, both(Op::Add, reg(tries_), constant(1)));
    if (options_.attempts > 0) emit(Assume{both(Op::Less, reg(tries_), constant(options_.attempts))});
    if (options_.attempts == 0) set(tries_, constant(0));
    clear_registers();
    jump(again_);
    bind(aborted);
    if (end.aborted) {
      undo();
      release(End::Abort);
    }
    bind(done);
    clear_registers();
    for (const auto& [r, before] : saved_) set(before, Expr::make_constant(0, thread_.registers[before].type));
    set(tries_, constant(0));
    set_targets();
  }

  /// For ISTM: checks the versions of the reads. If the check succeeds, the attempt commits.
  void check_versions() {
    fence(Order::SeqCst);
    for (const Read& read : reads_) {
      const Label next = new_label();
      const RegisterId word = temporary("word");
      jump_if(equals_zero(reg(read.logged)), next);
      load_entry(word, read.location, Order::Relaxed);
      jump_if(both(Op::NotEqual, bits_of(word, ~kLocked & 0xffffffff), reg(read.version)), failed_);
      jump_if(all_of(is_not_zero(bits_of(word, kLocked)), equals_zero(reg(cells_.at(read.location).owned))), failed_);
      bind(next);
    }
  }

  /// Clears registers that later code does not read, so that equivalent states are equal.
  void clear_registers() {
    for (const auto& [name, temporary] : temporaries_) set(temporary, constant(0));
    for (const auto& [location, cell] : cells_) {
      for (const RegisterId r : {cell.owned, cell.old_entry, cell.written, cell.old_value}) set(r, constant(0));
    }
    for (const Read& read : reads_) {
      set(read.logged, constant(0));
      set(read.version, constant(0));
    }
  }

  void undo() {
    for (auto cell = cells_.rbegin(); cell != cells_.rend(); ++cell) {
      const Label next = new_label();
      jump_if(equals_zero(reg(cell->second.written)), next);
      const ScalarType type = program_.locations[cell->first].type;
      emit(Store{data_access(cell->first), Expr::make_cast(reg(cell->second.old_value), type)});
      bind(next);
    }
  }

  void release(End end) {
    if (!is_istm() || end == End::Abort) fence(Order::AcqRel);
    if (options_.stm == Stm::Estm) release_reads();
    for (const auto& [location, cell] : cells_) {
      const Label next = new_label();
      jump_if(equals_zero(reg(cell.owned)), next);
      if (options_.stm == Stm::Estm) {
        lock(location);
        store_entry(location, constant(0), Order::Release);
      } else if (options_.stm == Stm::Pstm) {
        store_entry(location, constant(0), Order::Relaxed);
      } else {
        const bool is_new = end == End::Commit || options_.stm == Stm::Istm;
        store_entry(location, both(Op::Add, reg(cell.old_entry), constant(is_new ? 2 : 0)), Order::Relaxed);
      }
      bind(next);
    }
  }

  /// For ESTM: decrements the reader count of each entry that the attempt has not modified.
  void release_reads() {
    for (const Read& read : reads_) {
      const Label next = new_label();
      jump_if(equals_zero(reg(read.logged)), next);
      const RegisterId word = lock(read.location);
      const Expr fewer = both(Op::BitAnd, both(Op::Subtract, reg(word), constant(kReader)), constant(kUsed));
      const Expr is_last = equals_zero(both(Op::ShiftRight, fewer, constant(kReaderShift)));
      const Expr left = select(is_last, constant(0), fewer);
      store_entry(read.location, select(equals_zero(bits_of(word, kModified)), left, reg(word)), Order::Release);
      bind(next);
    }
  }

  Program& program_;
  Thread& thread_;
  Value me_;
  ObjectId entries_;
  const StmProgramOptions& options_;
  Diagnostics errors_;
  SourceSpan span_;
  bool is_open_ = false;
  std::map<LocationId, Cell> cells_;  ///< registers for the locations of the current transaction
  std::vector<Read> reads_;
  std::size_t next_read_ = 0;
  std::vector<std::pair<RegisterId, RegisterId>> saved_;  ///< pairs of a register and its saved copy
  RegisterId tries_ = 0;
  Label again_ = 0;
  Label failed_ = 0;
  std::map<std::string, RegisterId> temporaries_;
  std::vector<std::size_t> labels_;
  std::vector<std::pair<std::size_t, Label>> pending_;  ///< jumps to labels
  std::vector<std::size_t> positions_;                  ///< new index of each original instruction, then of the end
};

ObjectId add_entries(Program& program) {
  const auto object = static_cast<ObjectId>(program.objects.size());
  const auto length = static_cast<std::uint32_t>(program.locations.size());
  MemoryObject entries;
  entries.name = "entries";
  entries.type = kUnsigned;
  entries.is_array = true;
  entries.length = length;
  entries.first = length;
  program.objects.push_back(entries);
  for (std::uint32_t i = 0; i < length; ++i) {
    const std::string name = "entry of " + program.locations[i].name;
    program.locations.push_back({.name = name, .object = object, .index = i, .type = kUnsigned});
  }
  return object;
}

}  // namespace

Result<std::shared_ptr<const Program>> with_stm(const Program& program, const StmProgramOptions& options) {
  auto result = std::make_shared<Program>(program);
  result->expectations.clear();
  result->terminations.clear();
  result->labels.clear();
  result->detections.clear();
  if (!program.first_transaction()) return std::shared_ptr<const Program>(std::move(result));
  const ObjectId entries = add_entries(*result);
  Diagnostics errors;
  for (std::size_t t = 0; t < result->threads.size(); ++t) {
    Diagnostics found = StmRewriter(*result, t, entries, options).run();
    errors.insert(errors.end(), found.begin(), found.end());
  }
  if (!errors.empty()) return errors;
  return std::shared_ptr<const Program>(std::move(result));
}

}  // namespace ambit
