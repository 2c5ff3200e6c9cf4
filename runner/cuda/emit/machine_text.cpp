#include "runner/cuda/emit/machine_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/asynchronous.h"
#include "runner/cuda/emit/warpgroups.h"

namespace ambit::cuda {
namespace {

using Operand = MachineInstruction::Operand;

/// Returns whether the operands have the type of the instruction, as in st.async and red.async. The operands of all
/// other instructions have 32 bits.
bool has_wide_values(const MachineInstruction& machine) {
  const bool sends = machine.name.starts_with("st.async") || machine.name.starts_with("red.async");
  return sends && machine.name.ends_with("64");
}

/// Returns the text of a product. The product uses accumulator registers that the test does not name. The first product
/// may access these registers only after wgmma.fence. The fence orders nothing else, so models ignore it.
MachineText product_text(const Product& product, const MachineInstruction& machine, const MachineNames& names) {
  std::vector<std::string> results;
  std::vector<std::string> outputs;
  for (std::uint32_t i = 0; i < product.accumulators; ++i) {
    results.push_back(fmt::format("%{}", i));
    outputs.push_back(fmt::format("\"+{}\"({}[{}])", product.is_float ? 'f' : 'r', names.product, i));
  }
  const std::size_t first = results.size();
  std::vector<std::string> factors;
  std::vector<std::string> inputs;
  if (product.first_bytes == 0) {  // zeros in registers
    factors.push_back(fmt::format("{{%{0}, %{0}, %{0}, %{0}}}", first));
    inputs.emplace_back("\"r\"(0)");
  }
  for (const Operand& operand : machine.operands) {
    factors.push_back(fmt::format("%{}", first + inputs.size()));
    inputs.push_back(fmt::format("\"l\"(factor_descriptor({}))", names.address(operand.value).text));
  }
  MachineText text;
  text.before = "wgmma.fence.sync.aligned;\\n";
  text.operands = fmt::format("{{{}}}, {}{}", fmt::join(results, ", "), fmt::join(factors, ", "), product.suffix);
  text.constraints = fmt::format(" : {} : {}", fmt::join(outputs, ", "), fmt::join(inputs, ", "));
  return text;
}

}  // namespace

std::string full_name(const MachineInstruction& machine) {
  const bool lacks_type = machine.name.starts_with("mbarrier.") && !machine.name.ends_with(".b64");
  return machine.name + (lacks_type ? ".b64" : "");
}

bool is_executed(const MachineInstruction& machine) { return machine.name != "exit" && machine.name != kGridStep; }

bool is_wait(const MachineInstruction& machine) {
  return machine.name.starts_with("mbarrier.test_wait") || machine.name.starts_with("mbarrier.try_wait");
}

bool returns_number(const MachineInstruction& machine) {
  return is_wait(machine) || machine.name.starts_with("mbarrier.pending_count");
}

std::string missing_machine(const MachineInstruction& machine) {
  const std::string& name = machine.name;
  if (name.starts_with("wgmma.mma_async") && !product_of(machine)) {
    return fmt::format("'{}' with these operands is not a product that Ambit can write", name);
  }
  for (const char* family : {"tcgen05", "clusterlaunchcontrol", "cta_group"}) {
    if (name.find(family) != std::string::npos)
      return fmt::format("'{}' needs sm_100: Ambit runs only instructions of sm_90", family);
  }
  return {};
}

bool needs_own_block(const MachineInstruction& machine) {
  return machine.target.has_value() || machine.name.starts_with("wgmma.");
}

std::string missing_step(const AsyncStep& step) {
  const bool is_tensor = step.name.find(".tensor.") != std::string::npos;
  return fmt::format("'{}' {} is not run on hardware", step.name, is_tensor ? "by a map in an array" : "of structs");
}

std::string missing_without_clusters(const MachineInstruction& machine) {
  for (const char* name : {"st.async", "red.async"}) {
    // An H100 reports this error for st.async.
    if (machine.name.starts_with(name)) return fmt::format("'{}' is illegal in a launch without clusters", name);
  }
  return {};
}

MachineText machine_text(const MachineInstruction& machine, const MachineNames& names) {
  if (const auto product = product_of(machine)) return product_text(*product, machine, names);
  MachineText text;
  std::vector<std::string> operands;
  std::vector<std::string> inputs;
  std::string output;
  std::size_t next = 0;
  if (machine.target) {
    output = fmt::format("\"={}\"({})", returns_number(machine) ? 'r' : 'l', names.result);
    operands.emplace_back(is_wait(machine) ? "ambit_p" : "%0");
    next = 1;
  }
  const auto input = [&](const std::string& value, bool is_wide) {
    inputs.push_back(fmt::format("\"{}\"({})", is_wide ? 'l' : 'r', value));
    return fmt::format("%{}", next++);
  };
  for (const Operand& operand : machine.operands) {
    switch (operand.kind) {
      case Operand::Kind::Sink: operands.emplace_back("_"); break;
      case Operand::Kind::State: operands.push_back(input(names.state(operand.value.reg), true)); break;
      case Operand::Kind::Address: {
        const ObjectAddress address = names.address(operand.value);
        operands.push_back(fmt::format("[{}]", input(address.text, !address.is_narrow)));
        break;
      }
      case Operand::Kind::Tensor: {
        const std::string map = input(names.tensor_map(static_cast<std::size_t>(operand.value.constant)), true);
        std::vector<std::string> box;
        for (const Value coordinate : operand.coordinates) box.push_back(input(fmt::format("{}", coordinate), false));
        operands.push_back(fmt::format("[{}, {{{}}}]", map, fmt::join(box, ", ")));
        break;
      }
      case Operand::Kind::Value:
        operands.push_back(operand.value.is_constant() ? fmt::format("{}", operand.value.constant)
                                                       : input(names.value(operand.value), has_wide_values(machine)));
        break;
    }
  }
  if (!machine.target) operands = with_vector(machine, std::move(operands));
  text.operands = fmt::format("{}", fmt::join(operands, ", "));
  text.constraints = fmt::format(" : {} : {}", output, fmt::join(inputs, ", "));
  if (machine.target && is_wait(machine)) {
    text.before = "{\\n.reg .pred ambit_p;\\n";
    text.after = "\\nselp.b32 %0, 1, 0, ambit_p;\\n}";
  }
  return text;
}

}  // namespace ambit::cuda
