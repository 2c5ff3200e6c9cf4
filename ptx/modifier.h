#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

namespace ambit::ptx {

// clang-format off
/// The modifiers of opcodes: `.rn`, `.ftz`, `.acquire`. A modifier is neither a part of the opcode's name nor a type.
#define AMBIT_PTX_MODIFIERS(X)                                                                                    \
  /* state spaces */                                                                                              \
  X(Const, "const") X(Global, "global") X(Local, "local") X(Param, "param") X(Shared, "shared")                   \
  X(SharedBlock, "shared::cta") X(SharedCluster, "shared::cluster") X(ParamEntry, "param::entry")                 \
  X(ParamFunction, "param::func") X(Tex, "tex")                                                                   \
  /* memory: order, scope, proxies, caches */                                                                     \
  X(Weak, "weak") X(Relaxed, "relaxed") X(Acquire, "acquire") X(Release, "release") X(AcqRel, "acq_rel")          \
  X(Sc, "sc") X(Volatile, "volatile") X(Mmio, "mmio") X(Cta, "cta") X(Cluster, "cluster") X(Gpu, "gpu")           \
  X(Sys, "sys") X(Gl, "gl") X(Nc, "nc") X(Ca, "ca") X(Cg, "cg") X(Cs, "cs") X(Lu, "lu") X(Cv, "cv") X(Wb, "wb")   \
  X(Wt, "wt") X(L1EvictNormal, "L1::evict_normal") X(L1EvictUnchanged, "L1::evict_unchanged")                     \
  X(L1EvictFirst, "L1::evict_first") X(L1EvictLast, "L1::evict_last") X(L1NoAllocate, "L1::no_allocate")          \
  X(L2EvictNormal, "L2::evict_normal") X(L2EvictFirst, "L2::evict_first") X(L2EvictLast, "L2::evict_last")        \
  X(L2CacheHint, "L2::cache_hint") X(L2Prefetch64, "L2::64B") X(L2Prefetch128, "L2::128B")                        \
  X(L2Prefetch256, "L2::256B") X(L1, "L1") X(L2, "L2") X(Unified, "unified")  \
  X(SyncRestrict, "sync_restrict::shared::cta") X(SyncRestrictCluster, "sync_restrict::shared::cluster")          \
  X(ProxyAlias, "alias") X(Async, "async") X(TensormapGeneric, "tensormap::generic")                              \
  X(CompleteTx, "mbarrier::complete_tx::bytes") X(Noinc, "noinc") X(BulkGroup, "bulk_group") X(Read, "read")      \
  X(MulticastCluster, "multicast::cluster") X(NoComplete, "noComplete") X(Parity, "parity")                       \
  X(ExpectTx, "expect_tx") X(Mask, "mask")                                                                                        \
  /* operations of atom, red, redux, bar.red and cp.reduce */                                                     \
  X(And, "and") X(Or, "or") X(Xor, "xor") X(Cas, "cas") X(Exch, "exch") X(Add, "add") X(Inc, "inc") X(Dec, "dec") \
  X(Min, "min") X(Max, "max") X(Popc, "popc") X(Noftz, "noftz")                                                   \
  /* rounding and arithmetic */                                                                                   \
  X(Rn, "rn") X(Rz, "rz") X(Rm, "rm") X(Rp, "rp") X(Rna, "rna") X(Rs, "rs") X(Rni, "rni") X(Rzi, "rzi")           \
  X(Rmi, "rmi") X(Rpi, "rpi") X(Ftz, "ftz") X(Sat, "sat") X(Satfinite, "satfinite") X(Relu, "relu") X(Oob, "oob") \
  X(Approx, "approx") X(Full, "full") X(Hi, "hi") X(Lo, "lo") X(Wide, "wide") X(Cc, "cc") X(Nan, "NaN")           \
  X(XorsignAbs, "xorsign") X(Abs, "abs") X(Shiftamt, "shiftamt") X(Wrap, "wrap") X(Clamp, "clamp") X(L, "l")      \
  X(R, "r") X(F4e, "f4e") X(B4e, "b4e") X(Rc8, "rc8") X(Ecl, "ecl") X(Ecr, "ecr") X(Rc16, "rc16")                 \
  /* comparisons and tests */                                                                                     \
  X(Eq, "eq") X(Ne, "ne") X(Lt, "lt") X(Le, "le") X(Gt, "gt") X(Ge, "ge") X(Ls, "ls") X(Hs, "hs") X(Equ, "equ")   \
  X(Neu, "neu") X(Ltu, "ltu") X(Leu, "leu") X(Gtu, "gtu") X(Geu, "geu") X(Num, "num") X(IsNan, "nan")             \
  X(Finite, "finite") X(Infinite, "infinite") X(Number, "number") X(Notanumber, "notanumber") X(Normal, "normal") \
  X(Subnormal, "subnormal")                                                                                       \
  /* control, warps, barriers */                                                                                  \
  X(Uni, "uni") X(Sync, "sync") X(Aligned, "aligned") X(Up, "up") X(Down, "down") X(Bfly, "bfly") X(Idx, "idx")   \
  X(All, "all") X(Any, "any") X(Ballot, "ballot") X(Arrive, "arrive") X(Wait, "wait") X(Drop, "drop")             \
  X(LaunchDependents, "launch_dependents") X(Bulk, "bulk")                                                        \
  /* vectors and the rest */                                                                                      \
  X(To, "to") X(V2, "v2") X(V4, "v4") X(V8, "v8") X(Fractional, "fractional") X(Range, "range")                   \
  X(Geometry1d, "1d") X(Geometry2d, "2d") X(Geometry3d, "3d") X(GeometryA1d, "a1d") X(GeometryA2d, "a2d")         \
  X(GeometryCube, "cube") X(GeometryAcube, "acube") X(Base, "base") X(Grad, "grad") X(Trap, "trap")               \
  X(Zero, "zero") X(Width, "width") X(Height, "height") X(Depth, "depth") X(ChannelDataType, "channel_data_type") \
  X(ChannelOrder, "channel_order") X(NormalizedCoords, "normalized_coords") X(MaskBits, "b") X(P, "p")
// clang-format on

enum class Modifier : std::uint16_t {
#define AMBIT_PTX_MODIFIER(name, spelling) name,
  AMBIT_PTX_MODIFIERS(AMBIT_PTX_MODIFIER)
#undef AMBIT_PTX_MODIFIER
};

/// Names of the modifiers, without the leading dot.
inline constexpr std::array kModifierNames = {
#define AMBIT_PTX_MODIFIER(name, spelling) std::string_view(spelling),
    AMBIT_PTX_MODIFIERS(AMBIT_PTX_MODIFIER)
#undef AMBIT_PTX_MODIFIER
};
constexpr std::string_view to_string(Modifier modifier) { return kModifierNames[static_cast<std::size_t>(modifier)]; }
std::optional<Modifier> modifier_from_string(std::string_view name);

/// The modifiers of one instruction, in the order of the text. An instruction has at most kMaximum modifiers.
class Modifiers {
 public:
  static constexpr std::size_t kMaximum = 11;

  /// Appends a modifier. Returns false if the instruction already has kMaximum modifiers.
  bool push(Modifier modifier) {
    if (count_ == kMaximum) return false;
    values_[count_++] = modifier;
    return true;
  }
  bool has(Modifier modifier) const {
    for (const Modifier other : span()) {
      if (other == modifier) return true;
    }
    return false;
  }
  /// Returns the first modifier of the instruction that `choice` contains.
  std::optional<Modifier> first_of(std::initializer_list<Modifier> choice) const {
    for (const Modifier modifier : span()) {
      for (const Modifier other : choice) {
        if (modifier == other) return modifier;
      }
    }
    return std::nullopt;
  }
  std::span<const Modifier> span() const { return {values_.data(), count_}; }

 private:
  std::array<Modifier, kMaximum> values_ = {};
  std::uint8_t count_ = 0;
};

}  // namespace ambit::ptx
