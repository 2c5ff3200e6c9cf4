#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "parser/cuda/launch/host_function.h"
#include "parser/cuda/launch/host_launch.h"
#include "parser/cuda/launch/host_uses.h"
#include "parser/cuda/launch/host_values.h"
#include "parser/cuda/syntax/constant.h"

namespace ambit::parser::cuda {
namespace {

/// A variable of device code that the launch uses.
struct Symbol {
  std::string name;
  bool is_array = false;
  bool is_zero = false;    ///< whether the variable contains integers that are initially 0
  bool is_opaque = false;  ///< whether Ambit ignores the contents, because the type is floating-point
};

Symbol symbol_of(const Declaration& declaration) {
  Symbol symbol{.name = declaration.name};
  const Tokens& tokens = declaration.tokens;
  std::size_t past = declaration.name_index;
  while (past + 1 < tokens.size() && tokens[past + 1].is("[")) {
    symbol.is_array = true;
    past = skip_group(tokens, past + 1) - 1;
  }
  symbol.is_array |= declaration.name_index > 0 && tokens[declaration.name_index - 1].is("*");
  Tokens type;
  for (const Token& token : slice(tokens, 0, declaration.name_index)) {
    if (!token.text.starts_with("__")) type.push_back(token);
  }
  const auto is_floating = [](const Token& token) { return is_floating_word(token.text); };
  symbol.is_opaque = std::any_of(type.begin(), type.end(), is_floating) && !has_word(type, "*");
  symbol.is_zero = host_type(type).has_value() || has_word(type, "atomic");
  for (const Token& token : initializer_of(tokens, past)) {
    symbol.is_zero &= token.is_any({"{", "}", ","}) || literal_value(token) == 0;
  }
  return symbol;
}

/// Finds the uses of device variables in host code.
class SymbolCheck {
 public:
  SymbolCheck(const HostLaunches& launches, const Unit& unit, const DeviceCode& device, Reporter& reporter)
      : launches_(launches), unit_(unit), reporter_(reporter) {
    for (const Declaration& one : unit.declarations()) {
      const bool variable = one.kind == Declaration::Kind::Device && !one.is_function;
      if (!variable || !device.mentions(one.name) || has_word(one.tokens, "const")) continue;
      if (Symbol symbol = symbol_of(one); !symbol.is_opaque) symbols_.push_back(std::move(symbol));
    }
  }

  void run() {
    if (symbols_.empty()) return;
    find_called();
    scan(unit_, 0);
  }

 private:
  static constexpr int kMaxDepth = 20;  // depth of nested classes

  void scan(const Unit& unit, int depth) {
    std::set<std::size_t> groups;
    for (const Declaration& declaration : unit.declarations()) {
      if (!groups.insert(declaration.group).second) continue;
      switch (declaration.kind) {
        case Declaration::Kind::Host:
        case Declaration::Kind::Constant: check(declaration.tokens, &declaration); break;
        case Declaration::Kind::Device:
          if (declaration.is_definition && host_calls(declaration)) check(declaration.tokens, &declaration);
          break;
        case Declaration::Kind::Struct: {
          if (depth > kMaxDepth) break;
          const Unit members(declaration.tokens, reporter_);
          scan(members, depth + 1);
          break;
        }
        case Declaration::Kind::Enumerator:
        case Declaration::Kind::Alias: break;
      }
    }
  }

  static bool is_for_both(const Declaration& one) {
    return one.kind == Declaration::Kind::Device && one.is_function &&
           (has_word(one.tokens, "__host__") || has_word(one.tokens, "constexpr"));
  }

  /// Records all names in host code and in the __host__ __device__ functions that host code may call.
  void find_called() {
    called_.insert("operator");
    std::set<std::size_t> groups;
    for (bool grows = true; grows;) {
      const std::size_t before = groups.size();
      for (const Declaration& one : unit_.declarations()) {
        const bool host = one.kind == Declaration::Kind::Host || one.kind == Declaration::Kind::Constant ||
                          one.kind == Declaration::Kind::Struct || (is_for_both(one) && called_.contains(one.name));
        if (!host || !groups.insert(one.group).second) continue;
        for (const Token& token : one.tokens) {
          if (token.is_name()) called_.insert(token.text);
        }
      }
      grows = groups.size() > before;
    }
  }

  /// Returns whether `function` is a __host__ __device__ function that host code may call.
  bool host_calls(const Declaration& function) const {
    return is_for_both(function) && called_.contains(function.name);
  }

  void check(const Tokens& tokens, const Declaration* declaration) {
    const bool launches = declaration == launches_.front().function;
    const bool concerned = std::any_of(symbols_.begin(), symbols_.end(),
                                       [&](const Symbol& symbol) { return has_word(tokens, symbol.name); });
    if (!concerned) return;
    const HostFunction function(tokens);
    const HostUses uses(function, unit_);
    for (const Symbol& symbol : symbols_) {
      for (const std::size_t place : function.places(symbol.name)) {
        if (launches && place >= launches_.back().name) break;
        if (function.declaration(symbol.name, place) || is_elsewhere(function, place)) continue;
        if (launches && is_passed(function, place)) continue;
        const bool may_clear = launches_.size() == 1 || (launches && place < launches_.front().name);
        if (is_understood(symbol, function, uses, place, may_clear)) continue;
        reporter_.error(
            function.at(place).span,
            fmt::format("unsupported use of '{}' in host code: its contents at the launch are not known", symbol.name),
            std::string(kLaunchForm));
        break;
      }
    }
  }

  /// Returns whether the name is in the arguments of a launch.
  bool is_passed(const HostFunction& function, std::size_t place) const {
    return std::any_of(launches_.begin(), launches_.end(), [&](const HostLaunch& launch) {
      std::size_t close = launch.open;
      while (close < function.code().size() && !function.at(close).is(">>>")) ++close;
      return launch.name < place && function.at(close + 1).is("(") && place < function.partner(close + 1);
    });
  }

  /// Returns whether the name has the qualifier of a different namespace.
  bool is_elsewhere(const HostFunction& function, std::size_t place) const {
    return place > 1 && function.at(place - 1).is("::") && function.at(place - 2).is_name() &&
           !unit_.has_namespace(function.at(place - 2).text);
  }

  static bool is_understood(const Symbol& symbol, const HostFunction& function, const HostUses& uses, std::size_t place,
                            bool may_clear) {
    if (uses.is_unevaluated(place)) return true;
    if (may_clear && symbol.is_zero && uses.stores_zero(place, symbol.is_array)) return true;
    const std::optional<HostArgument> call = uses.argument(place);
    if (call && function.at(call->callee).text.starts_with("cuda")) {  // these functions take symbols by reference
      return call->index == 1 &&
             (uses.calls(*call, "cudaMemcpyFromSymbol") || uses.calls(*call, "cudaMemcpyFromSymbolAsync"));
    }
    return uses.is_read(place, symbol.is_array);
  }

  const HostLaunches& launches_;
  const Unit& unit_;
  Reporter& reporter_;
  std::vector<Symbol> symbols_;
  std::set<std::string> called_;
};

}  // namespace

void check_host_writes(const HostLaunches& launches, const Unit& unit, const DeviceCode& device, Reporter& reporter) {
  SymbolCheck(launches, unit, device, reporter).run();
}

}  // namespace ambit::parser::cuda
