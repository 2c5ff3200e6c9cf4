#include "parser/ptx/decoded_opcode.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "parser/ptx/async_forms.h"
#include "parser/ptx/instruction_text.h"
#include "parser/ptx/integer_arithmetic.h"
#include "parser/ptx/modifier_order.h"
#include "parser/ptx/modifiers.h"
#include "parser/text/keywords.h"
#include "ptx/modifier.h"
#include "ptx/opcode.h"

namespace ambit::parser::ptx {
namespace {

namespace assembly = ambit::ptx;
using IsaOpcode = assembly::Opcode;  // an opcode of the ISA; ptx::Opcode is a decoded opcode of a test
using IsaModifier = assembly::Modifier;

constexpr NameTable<Order, 5> kOrders = {{{to_string(IsaModifier::Weak), Order::Weak},
                                          {to_string(IsaModifier::Relaxed), Order::Relaxed},
                                          {to_string(IsaModifier::Acquire), Order::Acquire},
                                          {to_string(IsaModifier::Release), Order::Release},
                                          {to_string(IsaModifier::AcqRel), Order::AcqRel}}};
constexpr NameTable<Order, 4> kFenceOrders = {{{to_string(IsaModifier::Sc), Order::SeqCst},
                                               {to_string(IsaModifier::AcqRel), Order::AcqRel},
                                               {to_string(IsaModifier::Acquire), Order::Acquire},
                                               {to_string(IsaModifier::Release), Order::Release}}};
constexpr NameTable<Scope, 3> kMembarLevels = {{{to_string(IsaModifier::Cta), Scope::Block},
                                                {to_string(IsaModifier::Gl), Scope::Device},
                                                {to_string(IsaModifier::Sys), Scope::System}}};
constexpr NameTable<Proxy, 5> kProxies = {{{"generic", Proxy::Generic},
                                           {"constant", Proxy::Constant},
                                           {"texture", Proxy::Texture},
                                           {"surface", Proxy::Surface},
                                           {to_string(IsaModifier::Async), Proxy::Async}}};

constexpr NameTable<StateSpace, 4> kSpaces = {{{to_string(IsaModifier::Global), StateSpace::Global},
                                               {to_string(IsaModifier::Shared), StateSpace::SharedBlock},
                                               {to_string(IsaModifier::SharedBlock), StateSpace::SharedBlock},
                                               {to_string(IsaModifier::SharedCluster), StateSpace::SharedCluster}}};
constexpr NameTable<FenceSpace, 3> kFenceSpaces = {
    {{to_string(IsaModifier::Global), FenceSpace::Global},
     {to_string(IsaModifier::SharedBlock), FenceSpace::SharedBlock},
     {to_string(IsaModifier::SharedCluster), FenceSpace::SharedCluster}}};

constexpr std::string_view kLoadForm =
    "ld[.weak] r0, [x]  or  ld.relaxed|.acquire.SCOPE r0, [x]  or  ld.volatile r0, [x]";
constexpr std::string_view kStoreForm =
    "st[.weak] [x], 1  or  st.relaxed|.release.SCOPE [x], 1  or  st.volatile [x], 1";
constexpr std::string_view kAtomForm = "atom[.relaxed|.acquire|.release|.acq_rel][.SCOPE].OP r0, [x], 1";
constexpr std::string_view kCasForm = "atom[.relaxed|.acquire|.release|.acq_rel][.SCOPE].cas r0, [x], COMPARE, NEW";
constexpr std::string_view kRedForm = "red[.relaxed|.release][.SCOPE].OP [x], 1";
constexpr std::string_view kFenceForm = "fence[.sc|.acq_rel|.acquire|.release].SCOPE  or  fence.proxy.KIND";
constexpr std::string_view kBarForm =
    "bar.sync 0[, COUNT]  or  bar.arrive 0, COUNT  or  bar.cta.sync INSTANCE[, ID[, COUNT]]";
constexpr std::string_view kScopeHint = "the scopes are .cta, .cluster, .gpu and .sys";

class Decoder {
 public:
  Decoder(const InstructionNode& node, Dialect dialect, Reporter& reporter)
      : node_(node), dialect_(dialect), reporter_(reporter) {}

  std::optional<Opcode> decode() {
    const std::string_view base = node_.opcode.front().text;
    if (dialect_ == Dialect::Ptx && is_asynchronous(node_)) return asynchronous();
    for (const Family& family : families()) {
      if (family.name != base) continue;
      opcode_.proxy = family.proxy;
      opcode_.form = family.form;
      (this->*family.decode)();
      if (good_ && modifiers_.more()) report_leftover();
      check_width();
      return good_ ? std::optional(opcode_) : std::nullopt;
    }
    report_unknown(base);
    return std::nullopt;
  }

 private:
  struct Family {
    std::string_view name;
    void (Decoder::*decode)();
    std::string_view form;
    Proxy proxy = Proxy::Generic;
  };

  /// Maps the first word of an instruction to a decoder function. Contains instructions of the PTX ISA, and words that
  /// only litmus files have (`goto`, `beq`, accesses through a non-generic proxy).
  static const std::array<Family, 41>& families() {
    static constexpr std::array<Family, 41> kFamilies = {{
        {first_word(IsaOpcode::Ld), &Decoder::load, kLoadForm},
        {first_word(IsaOpcode::St), &Decoder::store, kStoreForm},
        {first_word(IsaOpcode::Atom), &Decoder::atomic, kAtomForm},
        {first_word(IsaOpcode::Red), &Decoder::reduction, kRedForm},
        {first_word(IsaOpcode::Fence), &Decoder::fence, kFenceForm},
        {"tld", &Decoder::load, kLoadForm, Proxy::Texture},
        {first_word(IsaOpcode::Suld), &Decoder::load, kLoadForm, Proxy::Surface},
        {"cold", &Decoder::load, kLoadForm, Proxy::Constant},
        {"ldc", &Decoder::load, kLoadForm, Proxy::Constant},
        {first_word(IsaOpcode::Sust), &Decoder::store, kStoreForm, Proxy::Surface},
        {"suatom", &Decoder::atomic, kAtomForm, Proxy::Surface},
        {first_word(IsaOpcode::Sured), &Decoder::reduction, kRedForm, Proxy::Surface},
        {"tst", &Decoder::read_only_proxy, kStoreForm, Proxy::Texture},
        {"cost", &Decoder::read_only_proxy, kStoreForm, Proxy::Constant},
        {"stc", &Decoder::read_only_proxy, kStoreForm, Proxy::Constant},
        {first_word(IsaOpcode::Membar), &Decoder::membar, "membar.cta|.gl|.sys"},
        {first_word(IsaOpcode::BarrierSync), &Decoder::bar, kBarForm},
        {first_word(IsaOpcode::BarrierClusterArrive), &Decoder::barrier, kBarForm},
        {first_word(IsaOpcode::MbarrierInit), &Decoder::mbarrier,
         "mbarrier.init|.arrive|.test_wait|.try_wait|.pending_count"},
        {first_word(IsaOpcode::Mov), &Decoder::move, "mov r0, 1"},
        {first_word(IsaOpcode::Add), &Decoder::arithmetic, "add r0, r1, 1"},
        {first_word(IsaOpcode::Sub), &Decoder::arithmetic, "sub r0, r1, 1"},
        {first_word(IsaOpcode::Mul), &Decoder::multiply, "mul r0, r1, 2"},
        {first_word(IsaOpcode::Div), &Decoder::arithmetic, "div r0, r1, 2"},
        {first_word(IsaOpcode::Rem), &Decoder::arithmetic, "rem r0, r1, 2"},
        {first_word(IsaOpcode::And), &Decoder::arithmetic, "and r0, r1, 1"},
        {first_word(IsaOpcode::Or), &Decoder::arithmetic, "or r0, r1, 1"},
        {first_word(IsaOpcode::Xor), &Decoder::arithmetic, "xor r0, r1, 1"},
        {first_word(IsaOpcode::Min), &Decoder::arithmetic, "min r0, r1, 1"},
        {first_word(IsaOpcode::Max), &Decoder::arithmetic, "max r0, r1, 1"},
        {"beq", &Decoder::branch<Op::Equal>, "beq r0, 1, LC01"},
        {"bne", &Decoder::branch<Op::NotEqual>, "bne r0, 1, LC01"},
        {"blt", &Decoder::branch<Op::Less>, "blt r0, 1, LC01"},
        {"ble", &Decoder::branch<Op::LessEqual>, "ble r0, 1, LC01"},
        {"bgt", &Decoder::branch<Op::Greater>, "bgt r0, 1, LC01"},
        {"bge", &Decoder::branch<Op::GreaterEqual>, "bge r0, 1, LC01"},
        {"goto", &Decoder::jump, "goto LC01"},
        {first_word(IsaOpcode::Bra), &Decoder::jump, "bra LC01"},
        {first_word(IsaOpcode::Exit), &Decoder::exit, "exit"},
        {first_word(IsaOpcode::Griddepcontrol), &Decoder::grid_control, "griddepcontrol.wait|.launch_dependents"},
        {first_word(IsaOpcode::Ret), &Decoder::exit, "ret"},
    }};
    return kFamilies;
  }

  void fail(const Word& where, std::string message, std::string hint = {}) {
    if (good_) reporter_.error(where.span, std::move(message), std::move(hint));
    good_ = false;
  }
  std::string_view name() const { return node_.opcode.front().text; }

  void report_unknown(std::string_view base) {
    if (const auto known = assembly::match_opcode(whole_name(node_.opcode)); known && dialect_ == Dialect::Ptx) {
      return fail(node_.opcode.front(),
                  fmt::format("Ambit does not model the PTX instruction '{}' in tests", known->row->name),
                  "ambit check and ambit exec read compiled modules (.ptx), which may contain it");
    }
    std::vector<std::string_view> names = {"exists", "forall", "filter", "locations", "expect", "label", "detect"};
    for (const Family& family : families()) names.push_back(family.name);
    if (did_you_mean(base, names).empty() && is_label_name(base)) {
      return fail(node_.opcode.front(), fmt::format("expected ':' after the label '{}'", base));
    }
    fail(node_.opcode.front(), fmt::format("unknown instruction '{}'", base.substr(0, 40)), did_you_mean(base, names));
  }

  /// Returns whether the word is a modifier that the instruction cannot have, or a modifier in the wrong place.
  static bool is_other_modifier(const Word& word) {
    return find_name(kScopes, word.text) || find_name(kOrders, word.text) || find_name(kFenceOrders, word.text) ||
           find_name(kRmwOps, word.text) || read_type_suffix(word);
  }

  /// Checks that only ld, st, atom.exch and atom.cas have the type .b128 (PTX ISA 9.7). In PTX, mov.b128 packs two
  /// registers.
  void check_width() {
    if (!good_ || !opcode_.type || opcode_.type->bits <= 64) return;
    const bool moves =
        opcode_.kind == OpcodeKind::Load || opcode_.kind == OpcodeKind::Store ||
        (opcode_.kind == OpcodeKind::Rmw && (opcode_.rmw == RmwOp::Exchange || opcode_.rmw == RmwOp::CompareExchange));
    if (moves && opcode_.proxy == Proxy::Generic) return;
    fail(node_.opcode.front(),
         fmt::format("expected ld, st, atom.exch or atom.cas with .b128, found '{}'", whole_name(node_.opcode)));
  }

  /// Reports a modifier that the instruction cannot have, or that is in the wrong place.
  void report_leftover() {
    const Word& word = modifiers_.current();
    if (word.text.empty()) return fail(word, "a modifier is missing between the dots");
    if (is_other_modifier(word)) {
      return fail(word, fmt::format("'.{}' is not allowed here", word.text),
                  fmt::format("the form is: {}", opcode_.form));
    }
    for (const std::string_view other : {"ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc", "v2", "v4", "v8", "shared",
                                         "local", "param", "const", "noftz", "L2", "shared::cta", "shared::cluster"}) {
      if (word.text == other)
        return fail(word, fmt::format("'.{}' is a PTX modifier that Ambit does not model", word.text));
    }
    fail(word, fmt::format("unknown modifier '.{}' of '{}'", word.text, name()),
         did_you_mean(word.text, modifiers_.tried()));
  }

  // ---- parts ----

  /// Reads a memory order, which must be in `allowed`. `what` describes the instruction in messages: "a load".
  template <std::size_t N>
  std::optional<Order> order(const std::array<Order, N>& allowed, std::string_view what) {
    if (!modifiers_.more()) return std::nullopt;
    const Word word = modifiers_.current();
    std::optional<Order> found = modifiers_.take(kOrders);
    if (!found && word.text == "sc") {
      fail(word, fmt::format("{} cannot be sc: only a fence can be sc", what), "write fence.sc.SCOPE before it");
    } else if (found && std::find(allowed.begin(), allowed.end(), *found) == allowed.end()) {
      fail(word, fmt::format("{} cannot be {}", what, word.text), fmt::format("the form is: {}", opcode_.form));
    }
    return found;
  }

  void space() {
    if (const std::optional<StateSpace> found = modifiers_.take(kSpaces)) opcode_.space = *found;
  }

  void type() {
    if (!modifiers_.more()) return;
    opcode_.type = read_type_suffix(modifiers_.current());
    if (opcode_.type) modifiers_.step();
  }

  /// Reads the scope. A strong operation must have a scope; a weak operation must not have a scope.
  void scope(std::string_view what, std::optional<Scope> by_default) {
    const bool strong = opcode_.order != Order::Weak;
    const Word where = modifiers_.current_or_last();
    if (const std::optional<Scope> found = modifiers_.take(kScopes)) {
      opcode_.scope = *found;
      if (opcode_.is_volatile)
        return fail(where, fmt::format("{} that is volatile takes no scope: its scope is .sys", what));
      if (!strong)
        return fail(where, fmt::format("{} that is weak takes no scope", what), "write .relaxed before the scope");
      return;
    }
    if (!strong || opcode_.is_volatile) return;
    if (by_default) {
      opcode_.scope = *by_default;
      return;
    }
    if (modifiers_.more() && !read_type_suffix(where) && where.text != "global") {
      return fail(where, fmt::format("unknown scope '.{}'", where.text),
                  did_you_mean(where.text, names_of(kScopes), std::string(kScopeHint)));
    }
    fail(node_.opcode.front(), fmt::format("{} that is not weak needs a scope", what), std::string(kScopeHint));
  }

  void access(std::string_view what, const std::array<Order, 3>& orders) {
    opcode_.is_plain = !modifiers_.more() && opcode_.proxy == Proxy::Generic;
    const bool mmio = modifiers_.take_word("mmio");
    if (modifiers_.take_word("volatile")) {
      opcode_.is_volatile = true;
      opcode_.order = Order::Relaxed;
    } else {
      opcode_.order = order(orders, what).value_or(Order::Weak);
    }
    const Word where = modifiers_.current_or_last();
    scope(what, std::nullopt);
    if (mmio && (opcode_.order != Order::Relaxed || opcode_.scope != Scope::System || opcode_.is_volatile)) {
      fail(where, fmt::format("{} with .mmio must be .mmio.relaxed.sys", what));
    }
    space();
    type();
    if (opcode_.is_volatile && opcode_.proxy != Proxy::Generic) {
      fail(node_.opcode.front(), "only the generic proxy has volatile accesses");
    }
  }

  // ---- memory ----

  void load() {
    opcode_.kind = OpcodeKind::Load;
    access("a load", {Order::Weak, Order::Relaxed, Order::Acquire});
  }
  void store() {
    opcode_.kind = OpcodeKind::Store;
    access("a store", {Order::Weak, Order::Relaxed, Order::Release});
  }
  void read_only_proxy() {
    fail(node_.opcode.front(), fmt::format("the {} proxy has no stores", to_string(opcode_.proxy)),
         "store by the generic proxy (st) or the surface proxy (sust)");
  }
  std::optional<Opcode> asynchronous() {
    opcode_.kind = OpcodeKind::Asynchronous;
    opcode_.async = decode_asynchronous(node_, opcode_.type, reporter_);
    if (!opcode_.async) return std::nullopt;
    opcode_.form = opcode_.async->form->pattern;
    opcode_.proxy = opcode_.async->form->proxy;
    return opcode_;
  }

  void operation() {
    const Word where = modifiers_.current_or_last();
    if (const std::optional<RmwOp> found = modifiers_.take(kRmwOps)) {
      opcode_.rmw = *found;
      return;
    }
    if (modifiers_.more() && is_other_modifier(where)) return report_leftover();
    const std::string list = fmt::format("the operations are .{}", fmt::join(names_of(kRmwOps), ", ."));
    if (!modifiers_.more()) return fail(node_.opcode.front(), fmt::format("'{}' has no operation", name()), list);
    fail(where, fmt::format("unknown modifier '.{}' of '{}'", where.text, name()),
         did_you_mean(where.text, modifiers_.tried(), list));
  }

  template <std::size_t N>
  void read_modify_write(std::string_view what, const std::array<Order, N>& orders) {
    opcode_.kind = OpcodeKind::Rmw;
    if (dialect_ == Dialect::TestFile) operation();
    if (!good_) return;
    opcode_.order = order(orders, what).value_or(Order::Relaxed);
    // The scope is optional. If the word is neither a scope nor an operation, the error message expects an operation.
    if (const std::optional<Scope> found = modifiers_.take(kScopes)) {
      opcode_.scope = *found;
    } else {
      opcode_.scope = Scope::Device;
    }
    modifiers_.take_word("global");
    if (dialect_ == Dialect::Ptx && good_) operation();
    type();
    const bool is_cas = opcode_.rmw == RmwOp::CompareExchange;
    if (is_cas) opcode_.form = kCasForm;
    if ((is_cas || opcode_.rmw == RmwOp::Exchange) && opcode_.is_reduction) {
      fail(node_.opcode.front(),
           fmt::format("'{}' cannot be .cas or .exch, because it does not return the old value", name()));
    }
  }

  void atomic() {
    read_modify_write("an atomic operation", std::array{Order::Relaxed, Order::Acquire, Order::Release, Order::AcqRel});
  }
  void reduction() {
    opcode_.is_reduction = true;
    read_modify_write("a reduction", std::array{Order::Relaxed, Order::Release, Order::Acquire, Order::AcqRel});
    if (!good_ || opcode_.order == Order::Relaxed || opcode_.order == Order::Release) return;
    // PTX ISA, red: .sem is .relaxed or .release. With a different order, the instruction is an atom without a
    // result.
    opcode_.is_reduction = false;
    opcode_.drops_result = true;
    const std::string_view order = ambit::to_string(opcode_.order);
    reporter_.remark(node_.opcode.front().span,
                     fmt::format("PTX has no {}.{}: Ambit reads it as {}.{} and drops the result", name(), order,
                                 opcode_.proxy == Proxy::Surface ? "suatom" : "atom", order));
  }

  // ---- fences ----

  void proxy_fence() {
    opcode_.kind = OpcodeKind::ProxyFence;
    const Word where = modifiers_.current_or_last();
    opcode_.form =
        "fence.proxy.generic|.constant|.texture|.surface|.alias  or  "
        "fence.proxy.async[.global|.shared::cta|.shared::cluster]";
    if (modifiers_.take_word("alias")) {
      opcode_.is_alias_fence = true;
    } else if (dialect_ == Dialect::Ptx && modifiers_.take_word("async::generic")) {
      one_directional_fence();
    } else if (const std::optional<Proxy> proxy = modifiers_.take(kProxies)) {
      opcode_.proxy = *proxy;
      if (*proxy == Proxy::Async) {
        if (const auto space = modifiers_.take(kFenceSpaces)) opcode_.fence_space = *space;
      }
    } else if (!modifiers_.more()) {
      fail(where, "'fence.proxy' has no proxy", fmt::format("the form is: {}", opcode_.form));
    } else {
      fail(where, fmt::format("unknown proxy '{}'", where.text),
           did_you_mean(
               where.text, modifiers_.tried(),
               "the proxies are generic, constant, texture, surface and async; an alias fence is fence.proxy.alias"));
    }
  }

  /// Reads the release or acquire form of fence.proxy.async::generic.
  void one_directional_fence() {
    opcode_.form =
        "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster  or  "
        "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster";
    opcode_.proxy = Proxy::Async;
    opcode_.scope = Scope::Cluster;
    const bool releases = modifiers_.take_word("release");
    opcode_.fence_direction = releases ? ProxyFence::Direction::Release : ProxyFence::Direction::Acquire;
    opcode_.fence_space = releases ? FenceSpace::SharedBlock : FenceSpace::SharedCluster;
    const bool is_whole =
        (releases || modifiers_.take_word("acquire")) &&
        modifiers_.take_word(releases ? "sync_restrict::shared::cta" : "sync_restrict::shared::cluster") &&
        modifiers_.take_word("cluster");
    if (is_whole) return;
    fail(modifiers_.current_or_last(), "unknown one-directional proxy fence",
         fmt::format("the form is: {}", opcode_.form));
  }

  void fence() {
    if (modifiers_.take_word("proxy")) return proxy_fence();
    if (dialect_ == Dialect::TestFile && modifiers_.take_word("alias")) {
      opcode_.kind = OpcodeKind::ProxyFence;
      opcode_.is_alias_fence = true;
      return;
    }
    if (dialect_ == Dialect::Ptx && modifiers_.take_word("mbarrier_init")) {
      opcode_.kind = OpcodeKind::ProxyFence;
      opcode_.is_mbarrier_init_fence = true;
      opcode_.form = "fence.mbarrier_init.release.cluster";
      if (!modifiers_.take_word("release") || !modifiers_.take_word("cluster")) {
        fail(modifiers_.current_or_last(), "expected fence.mbarrier_init.release.cluster");
      }
      return;
    }
    opcode_.kind = OpcodeKind::Fence;
    const Word where = modifiers_.current_or_last();
    const std::optional<Order> order = modifiers_.take(kFenceOrders);
    if (!order && (where.text == "weak" || where.text == "relaxed")) {
      return fail(where, fmt::format("a fence cannot be {}", where.text), fmt::format("the form is: {}", kFenceForm));
    }
    opcode_.order = order.value_or(Order::AcqRel);
    if (dialect_ == Dialect::Ptx && modifiers_.more() && modifiers_.current().text.starts_with("sync_restrict"))
      return restricted_fence();
    const Word at = modifiers_.current_or_last();
    if (const std::optional<Scope> found = modifiers_.take(kScopes)) {
      opcode_.scope = *found;
    } else if (!modifiers_.more()) {
      fail(node_.opcode.front(), "a fence needs a scope", std::string(kScopeHint));
    } else {
      fail(at, fmt::format("unknown {} '.{}'", order ? "scope" : "order or scope", at.text),
           did_you_mean(at.text, modifiers_.tried(), fmt::format("the form is: {}", kFenceForm)));
    }
  }

  void restricted_fence() {
    opcode_.form =
        "fence.release.sync_restrict::shared::cta.cluster  or  fence.acquire.sync_restrict::shared::cluster.cluster";
    opcode_.is_shared_only = true;
    opcode_.scope = Scope::Cluster;
    const Word where = modifiers_.current();
    const bool releases = opcode_.order == Order::Release && modifiers_.take_word("sync_restrict::shared::cta");
    const bool acquires = opcode_.order == Order::Acquire && modifiers_.take_word("sync_restrict::shared::cluster");
    if ((releases || acquires) && modifiers_.take_word("cluster")) return;
    fail(releases || acquires ? modifiers_.current_or_last() : where, "unknown restricted fence",
         fmt::format("the form is: {}", opcode_.form));
  }

  /// Reads membar, a synonym of fence.sc (PTX ISA, "membar/fence").
  void membar() {
    if (modifiers_.take_word("proxy")) return proxy_fence();
    opcode_.kind = OpcodeKind::Fence;
    opcode_.order = Order::SeqCst;
    const Word where = modifiers_.current_or_last();
    if (const std::optional<Scope> level = modifiers_.take(kMembarLevels)) {
      opcode_.scope = *level;
    } else {
      fail(where, "expected .cta, .gl or .sys after membar", where.text == "gpu" ? "write .gl for gpu scope" : "");
    }
  }

  // ---- barriers ----

  void block_barrier() {
    opcode_.kind = OpcodeKind::BlockBarrier;
    modifiers_.take_word("cta");
    if (modifiers_.take_word("arrive")) {
      opcode_.arrive_only = true;
    } else if (!modifiers_.take_word("sync")) {
      const Word where = modifiers_.current_or_last();
      const bool is_red = where.text == "red";
      fail(where,
           is_red ? "Ambit does not model barriers with a reduction (.red)"
                  : "expected .sync or .arrive after the barrier",
           fmt::format("the form is: {}", opcode_.form));
    }
    modifiers_.take_word("aligned");
  }
  void bar() {
    if (modifiers_.take_word("warp")) {
      opcode_.kind = OpcodeKind::WarpBarrier;
      opcode_.form = "bar.warp.sync 0xffffffff";
      if (!modifiers_.take_word("sync")) fail(modifiers_.current_or_last(), "expected bar.warp.sync");
      return;
    }
    opcode_.has_instance = modifiers_.more() && modifiers_.current().text == "cta";
    block_barrier();
  }
  void barrier() {
    if (!modifiers_.take_word("cluster")) return block_barrier();
    opcode_.form = "barrier.cluster.arrive[.release|.relaxed]  or  barrier.cluster.wait[.acquire]";
    if (modifiers_.take_word("arrive")) {
      opcode_.kind = OpcodeKind::ClusterArrive;
      if (!modifiers_.take_word("release")) opcode_.is_relaxed = modifiers_.take_word("relaxed");
    } else if (modifiers_.take_word("wait")) {
      opcode_.kind = OpcodeKind::ClusterWait;
      modifiers_.take_word("acquire");
    } else {
      fail(modifiers_.current_or_last(), "expected .arrive or .wait after barrier.cluster",
           fmt::format("the form is: {}", opcode_.form));
    }
    modifiers_.take_word("aligned");
  }

  void mbarrier() {
    const Word where = modifiers_.current_or_last();
    std::array<Order, 2> orders = {Order::Release, Order::Relaxed};
    if (modifiers_.take_word("init")) {
      opcode_.kind = OpcodeKind::MbarrierInit;
      opcode_.form = "mbarrier.init [b], 2";
    } else if (modifiers_.take_word("inval")) {
      opcode_.kind = OpcodeKind::MbarrierInvalidate;
      opcode_.form = "mbarrier.inval [b]";
    } else if (modifiers_.take_word("arrive") || modifiers_.take_word("arrive_drop")) {
      opcode_.kind = OpcodeKind::MbarrierArrive;
      opcode_.form =
          "mbarrier.arrive|.arrive_drop[.expect_tx|.noComplete][.release|.relaxed][.cta|.cluster] r0, [b][, N]";
      opcode_.drops = where.text == "arrive_drop";
      opcode_.expects = modifiers_.take_word("expect_tx");
      opcode_.no_complete = !opcode_.expects && modifiers_.take_word("noComplete");
    } else if (modifiers_.take_word("expect_tx") || modifiers_.take_word("complete_tx")) {
      opcode_.kind = where.text == "expect_tx" ? OpcodeKind::MbarrierExpect : OpcodeKind::MbarrierComplete;
      opcode_.form = "mbarrier.expect_tx|.complete_tx[.relaxed][.cta|.cluster] [b], BYTES";
      orders = {Order::Relaxed, Order::Relaxed};
    } else if (modifiers_.take_word("pending_count")) {
      opcode_.kind = OpcodeKind::MbarrierPending;
      opcode_.form = "mbarrier.pending_count.b64 r0, STATE";
    } else if (modifiers_.take_word("test_wait") || modifiers_.take_word("try_wait")) {
      opcode_.kind = OpcodeKind::MbarrierWait;
      opcode_.form = "mbarrier.test_wait[.parity][.acquire|.relaxed][.cta|.cluster] r0, [b], r1";
      opcode_.by_parity = modifiers_.take_word("parity");
      orders = {Order::Acquire, Order::Relaxed};
    } else {
      return report_mbarrier(where);
    }
    const bool has_order = opcode_.kind != OpcodeKind::MbarrierInit && opcode_.kind != OpcodeKind::MbarrierInvalidate &&
                           opcode_.kind != OpcodeKind::MbarrierPending;
    if (has_order) {
      opcode_.order = order(orders, "this operation").value_or(orders.front());
      const Word at = modifiers_.current_or_last();
      opcode_.scope = modifiers_.take(kScopes).value_or(Scope::Block);
      if (opcode_.scope > Scope::Cluster) fail(at, "expected .cta or .cluster as the scope of an mbarrier operation");
    }
    if (opcode_.kind != OpcodeKind::MbarrierPending) space();
    modifiers_.take_word("b64");
  }
  void report_mbarrier(const Word& where) {
    const std::string near = did_you_mean(where.text, modifiers_.tried());
    fail(where,
         "expected .init, .inval, .arrive, .arrive_drop, .expect_tx, .complete_tx, .test_wait, .try_wait or "
         ".pending_count after mbarrier",
         near);
  }

  // ---- registers and control flow ----

  void move() {
    opcode_.kind = OpcodeKind::Move;
    type();
  }
  void arithmetic() {
    opcode_.kind = OpcodeKind::Arithmetic;
    opcode_.operation = *operation_of(assembly::match_opcode(name())->row->opcode);
    type();
  }
  void multiply() {
    modifiers_.take_word("lo");
    arithmetic();
  }
  template <Op comparison>
  void branch() {
    opcode_.kind = OpcodeKind::Branch;
    opcode_.operation = comparison;
    type();
  }
  void jump() {
    opcode_.kind = OpcodeKind::Jump;
    modifiers_.take_word("uni");
  }
  void exit() { opcode_.kind = OpcodeKind::Exit; }
  void grid_control() {
    opcode_.kind = modifiers_.take_word("wait") ? OpcodeKind::GridWait : OpcodeKind::GridLaunch;
    if (opcode_.kind == OpcodeKind::GridWait || modifiers_.take_word("launch_dependents")) return;
    fail(modifiers_.current_or_last(), "expected .wait or .launch_dependents after griddepcontrol");
  }

  const InstructionNode& node_;
  Dialect dialect_;
  const std::vector<Word> words_ = dialect_ == Dialect::Ptx ? in_order(node_.opcode) : node_.opcode;
  Modifiers modifiers_{words_};
  Reporter& reporter_;
  Opcode opcode_;
  bool good_ = true;
};

}  // namespace

std::optional<Opcode> decode(const InstructionNode& node, Dialect dialect, Reporter& reporter) {
  return Decoder(node, dialect, reporter).decode();
}

}  // namespace ambit::parser::ptx
