#include "runner/cuda/machine_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/asynchronous.h"

namespace ambit::cuda {
namespace {

using Operand = MachineInstruction::Operand;

/// The value that st.async and red.async send has the type of the instruction; all other values have 32 bits.
bool has_wide_values(const MachineInstruction& machine) {
  const bool sends = machine.name.starts_with("st.async") || machine.name.starts_with("red.async");
  return sends && machine.name.ends_with("64");
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
  if (name.starts_with("wgmma")) return "a thread of a test is one lane, and wgmma needs four whole warps";
  for (const char* family : {"tcgen05", "clusterlaunchcontrol", "cta_group"}) {
    if (name.find(family) != std::string::npos)
      return fmt::format("'{}' needs sm_100: Ambit runs what sm_90 has", family);
  }
  return {};
}

std::string missing_without_clusters(const MachineInstruction& machine) {
  for (const char* name : {"st.async", "red.async"}) {
    // An H100 says so of st.async.
    if (machine.name.starts_with(name)) return fmt::format("'{}' is illegal in a launch without clusters", name);
  }
  return {};
}

MachineText machine_text(const MachineInstruction& machine, const MachineNames& names) {
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
