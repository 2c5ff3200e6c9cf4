#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "runner/tools/adapter.h"

namespace ambit::tools {

struct ToolOptions {
  std::uint64_t runs = 100;           ///< runs of the program under the tool
  std::chrono::seconds timeout{300};  ///< limit for the compiler, and for the tool separately
};

/// The result of a tool on a program.
struct ToolAnswer {
  enum class Kind : std::uint8_t {
    Race,         ///< the tool reported a race
    NoRace,       ///< the tool ended without a report
    NotCompiled,  ///< the compiler failed
    Failed,       ///< the tool failed or did not end
    Interrupted
  } kind = Kind::Failed;
  std::string why;                   ///< reason; only for NotCompiled and Failed
  std::vector<std::string> reports;  ///< the first lines that report races
};

/// Returns the name of a program that the adapter's commands call, if the program is not installed. Returns an empty
/// text if all programs are installed. Ignores a command that begins with {program}.
std::string missing_program(const Adapter& adapter);

/// Interprets the output of a tool that ended with the exit status `status`.
ToolAnswer read_answer(const Adapter& adapter, const std::string& output, int status);

/// Compiles a CUDA program and runs it under the tool. `stem` is the path of the source without ".cu"; the compiled
/// program is written next to the source. Both files are removed. Stops within half a second after `interrupted`
/// becomes true.
ToolAnswer run_tool(const Adapter& adapter, const std::string& program, const std::string& stem,
                    const ToolOptions& options, const std::atomic<bool>& interrupted);

}  // namespace ambit::tools
