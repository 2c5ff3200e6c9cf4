#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "ptx/module.h"

namespace ambit::ptx {
namespace {

/// A function or variable of one of the modules.
struct Origin {
  std::size_t module = 0;
  std::uint32_t index = kNone;
};

/// The precedence of a symbol among symbols that have the same name. The linker chooses the first symbol that has the
/// highest precedence.
enum class Claim : std::uint8_t { Declaration, Common, Weak, Definition };

Claim claim_of(const Function& function) {
  if (!function.has_body || function.linkage == Linkage::Extern) return Claim::Declaration;
  return function.linkage == Linkage::Weak ? Claim::Weak : Claim::Definition;
}

Claim claim_of(const Variable& variable) {
  switch (variable.linkage) {
    case Linkage::Extern: return Claim::Declaration;
    case Linkage::Common: return Claim::Common;
    case Linkage::Weak: return Claim::Weak;
    default: return Claim::Definition;
  }
}

/// Returns whether other modules can see the symbol. Names of dynamic shared memory are not shared: each module has its
/// own name for this memory.
bool is_shared_name(const Function& function) { return function.linkage != Linkage::Local; }
bool is_shared_name(const Variable& variable) {
  return variable.function == kNone && variable.linkage != Linkage::Local &&
         !(variable.space == Space::Shared && variable.linkage == Linkage::Extern);
}

class Linker {
 public:
  explicit Linker(std::span<const Module> modules)
      : modules_(modules), functions_(modules.size()), variables_(modules.size()) {}

  Result<Module> link() {
    result_.file = std::make_shared<const SourceFile>(SourceFile{"<linked modules>", ""});
    for (std::size_t i = 0; i < modules_.size(); ++i) choose(i);
    if (!errors_.empty()) return errors_;
    for (std::size_t i = 0; i < modules_.size(); ++i) number(i);
    for (std::size_t i = 0; i < modules_.size(); ++i) copy(i);
    return std::move(result_);
  }

 private:
  struct Chosen {
    bool is_function = false;
    Claim claim = Claim::Declaration;
    Origin origin;
    std::uint32_t number = kNone;  ///< number in the result
  };

  /// For each name in module `m`, chooses the symbol of the module or the symbol that has been chosen so far.
  void choose(std::size_t m) {
    const Module& module = modules_[m];
    check_header(module);
    for (std::uint32_t i = 0; i < module.functions.size(); ++i) {
      const Function& function = module.functions[i];
      if (is_shared_name(function)) claim(function, {true, claim_of(function), {m, i}});
    }
    for (std::uint32_t i = 0; i < module.variables.size(); ++i) {
      const Variable& variable = module.variables[i];
      if (is_shared_name(variable)) claim(variable, {false, claim_of(variable), {m, i}});
    }
  }

  void check_header(const Module& module) {
    if (result_.version_major == 0) {
      result_.target = module.target;
      result_.address_size = module.address_size;
    } else if (result_.address_size != module.address_size) {
      errors_.push_back({module.file, {1, 1, 0}, "modules of 32-bit and of 64-bit addresses cannot be linked", ""});
    }
    const auto version = std::max(std::pair(result_.version_major, result_.version_minor),
                                  std::pair(module.version_major, module.version_minor));
    result_.version_major = version.first;
    result_.version_minor = version.second;
  }

  template <typename Symbol>
  void claim(const Symbol& symbol, Chosen claimed) {
    const auto [entry, is_new] = chosen_.emplace(symbol.name, claimed);
    if (is_new) return;
    Chosen& known = entry->second;
    const auto fail = [&](std::string message) {
      const Module& other = modules_[known.origin.module];
      const SourceSpan& place =
          known.is_function ? other.functions[known.origin.index].place : other.variables[known.origin.index].place;
      errors_.push_back({symbol.file, symbol.place, std::move(message),
                         fmt::format("the other declaration is in {}:{}", other.file->path, place.line)});
    };
    if (known.is_function != claimed.is_function) {
      return fail(fmt::format("'{}' is a function in one module and a variable in another", symbol.name));
    }
    if (known.claim == Claim::Definition && claimed.claim == Claim::Definition) {
      return fail(fmt::format("'{}' is defined in two modules", symbol.name));
    }
    if constexpr (std::is_same_v<Symbol, Variable>) {
      const Variable& other = modules_[known.origin.module].variables[known.origin.index];
      const bool both_have_size = other.size() != 0 && symbol.size() != 0;
      const bool are_common = known.claim == Claim::Common && claimed.claim == Claim::Common;
      if (both_have_size && other.size() != symbol.size() && !are_common) {
        return fail(
            fmt::format("'{}' has {} bytes in one module and {} in another", symbol.name, other.size(), symbol.size()));
      }
      if (are_common && symbol.size() > other.size()) known = claimed;
    }
    if (claimed.claim > known.claim) known = claimed;
  }

  bool wins(const Function& function, Origin origin) const {
    if (!is_shared_name(function)) return true;
    const Origin& winner = chosen_.at(function.name).origin;
    return winner.module == origin.module && winner.index == origin.index;
  }
  bool wins(const Variable& variable, Origin origin) const {
    if (variable.function != kNone) {
      return wins(modules_[origin.module].functions[variable.function], {origin.module, variable.function});
    }
    if (!is_shared_name(variable)) return true;
    const Origin& winner = chosen_.at(variable.name).origin;
    return winner.module == origin.module && winner.index == origin.index;
  }

  /// Assigns numbers in the linked module to the chosen functions and variables of module `m`.
  void number(std::size_t m) {
    const auto give = [&](const auto& symbols, std::vector<std::uint32_t>& numbers, std::uint32_t& next) {
      for (std::uint32_t i = 0; i < symbols.size(); ++i) {
        const bool is_kept = wins(symbols[i], {m, i});
        numbers.push_back(is_kept ? next : kNone);
        if (is_kept && is_shared_name(symbols[i])) chosen_.at(symbols[i].name).number = next;
        if (is_kept) ++next;
      }
    };
    give(modules_[m].functions, functions_[m], next_function_);
    give(modules_[m].variables, variables_[m], next_variable_);
  }

  std::uint32_t function_number(std::size_t m, std::uint32_t index) const {
    const std::uint32_t number = functions_[m][index];
    return number != kNone ? number : chosen_.at(modules_[m].functions[index].name).number;
  }
  std::uint32_t variable_number(std::size_t m, std::uint32_t index) const {
    const std::uint32_t number = variables_[m][index];
    const Variable& variable = modules_[m].variables[index];
    if (number != kNone || variable.function != kNone) return number;
    return chosen_.at(variable.name).number;
  }

  void copy(std::size_t m) {
    const Module& module = modules_[m];
    const auto files = static_cast<std::uint32_t>(result_.files.size());
    const auto strings = static_cast<std::uint32_t>(result_.strings.size());
    const auto places = static_cast<std::uint32_t>(result_.places.size());
    result_.files.insert(result_.files.end(), module.files.begin(), module.files.end());
    result_.strings.insert(result_.strings.end(), module.strings.begin(), module.strings.end());
    for (SourcePlace place : module.places) {
      if (place.file != kNone) place.file += files;
      if (place.function != kNone) place.function += strings;
      if (place.inlined_at != kNone) place.inlined_at += places;
      result_.places.push_back(place);
    }
    for (std::uint32_t i = 0; i < module.functions.size(); ++i) {
      if (functions_[m][i] != kNone) result_.functions.push_back(copied(m, module.functions[i], places));
    }
    for (std::uint32_t i = 0; i < module.variables.size(); ++i) {
      if (variables_[m][i] != kNone) result_.variables.push_back(copied(m, module.variables[i]));
    }
  }

  Function copied(std::size_t m, Function function, std::uint32_t places) const {
    for (auto* list : {&function.returns, &function.parameters}) {
      for (Parameter& parameter : *list) {
        if (!parameter.is_register) parameter.index = variable_number(m, parameter.index);
      }
    }
    for (std::uint32_t& variable : function.variables) variable = variable_number(m, variable);
    for (Targets& targets : function.targets) {
      if (!targets.is_calls) continue;
      for (std::uint32_t& index : targets.indexes) index = function_number(m, index);
    }
    for (Instruction& instruction : function.instructions) {
      if (instruction.source != kNone) instruction.source += places;
      for (Operand& operand : instruction.operands) {
        const bool is_variable = operand.kind == Operand::Kind::Variable ||
                                 (operand.kind == Operand::Kind::Address && operand.base == Operand::Base::Variable);
        if (is_variable) operand.index = variable_number(m, operand.index);
        if (operand.kind == Operand::Kind::Function) operand.index = function_number(m, operand.index);
      }
    }
    return function;
  }

  Variable copied(std::size_t m, Variable variable) const {
    if (variable.function != kNone) variable.function = function_number(m, variable.function);
    for (Relocation& relocation : variable.relocations) {
      relocation.symbol =
          relocation.is_function ? function_number(m, relocation.symbol) : variable_number(m, relocation.symbol);
    }
    return variable;
  }

  std::span<const Module> modules_;
  Module result_;
  Diagnostics errors_;
  std::unordered_map<std::string_view, Chosen> chosen_;
  std::vector<std::vector<std::uint32_t>> functions_;  ///< maps a module and an index to a number in the linked module
  std::vector<std::vector<std::uint32_t>> variables_;
  std::uint32_t next_function_ = 0;
  std::uint32_t next_variable_ = 0;
};

}  // namespace

Result<Module> link(std::span<const Module> modules) { return Linker(modules).link(); }

}  // namespace ambit::ptx
