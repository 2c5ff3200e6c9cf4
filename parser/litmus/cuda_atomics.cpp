#include "parser/litmus/cuda_atomics.h"

#include <algorithm>
#include <array>

namespace ambit::parser::litmus {
namespace {

constexpr std::array<CudaAtomic, 11> kCudaAtomics = {{{"atomicAdd", RmwOp::Add, "iuLfdh"},
                                                      {"atomicSub", RmwOp::Subtract, "iu"},
                                                      {"atomicExch", RmwOp::Exchange, "iuLf"},
                                                      {"atomicMin", RmwOp::Min, "iulL"},
                                                      {"atomicMax", RmwOp::Max, "iulL"},
                                                      {"atomicInc", RmwOp::IncrementWrap, "u"},
                                                      {"atomicDec", RmwOp::DecrementWrap, "u"},
                                                      {"atomicAnd", RmwOp::And, "iuL"},
                                                      {"atomicOr", RmwOp::Or, "iuL"},
                                                      {"atomicXor", RmwOp::Xor, "iuL"},
                                                      {"atomicCAS", RmwOp::CompareExchange, "iuLs"}}};

}  // namespace

Scope scope_of_suffix(std::string_view name) {
  if (name.ends_with("_block")) return Scope::Block;
  return name.ends_with("_system") ? Scope::System : Scope::Device;
}

const CudaAtomic* find_cuda_atomic(std::string_view name) {
  const Scope scope = scope_of_suffix(name);
  name.remove_suffix(scope == Scope::Block ? 6 : scope == Scope::System ? 7 : 0);
  const auto* found =
      std::find_if(kCudaAtomics.begin(), kCudaAtomics.end(), [&](const CudaAtomic& a) { return a.name == name; });
  return found == kCudaAtomics.end() ? nullptr : found;
}

std::vector<std::string_view> cuda_atomic_names() {
  std::vector<std::string_view> names;
  for (const CudaAtomic& atomic : kCudaAtomics) names.push_back(atomic.name);
  return names;
}

}  // namespace ambit::parser::litmus
