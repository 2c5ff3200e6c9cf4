#include "apps/cli/command_table.h"

#include <fmt/format.h>

#include <array>

#include "apps/cli/commands.h"

namespace ambit::cli {
namespace {

struct Row {
  const char* name;
  const char* description;
  Action (*declare)(Command command);
};

/// The commands in the order of `ambit --help`.
constexpr std::array kCommands = {
    Row{"check", "Check litmus tests under memory models", declare_check},
    Row{"outcomes", "List every outcome that a model allows", declare_outcomes},
    Row{"run", "Run tests and count their outcomes", declare_run},
    Row{"explain", "Explain why an outcome is allowed or forbidden, or why a test races", declare_explain},
    Row{"fix", "Find the cheapest changes that remove a race, forbid an outcome or end a spin", declare_fix},
    Row{"relax", "Find the weakest fences, barriers, scopes and orders that keep a test's verdicts", declare_relax},
    Row{"judge", "Judge tests and kernels: verdicts, patches and replays as one JSON document", declare_judge},
    Row{"graph", "Draw a trace, or the execution that shows an outcome, a race or their absence", declare_graph},
    Row{"generate", "Make tests: from cycles of relations, at random, or all up to a size", declare_generate},
    Row{"distinguish", "Find the smallest program on which two models or detectors differ", declare_distinguish},
    Row{"exhaust", "Count the errors of detectors and models on all small programs", declare_exhaust},
    Row{"compare", "Compare the outcomes in logs of models and machines", declare_compare},
    Row{"map", "Print the PTX litmus test to which a CUDA test compiles", declare_map},
    Row{"emit", "Print a test as CUDA, PTX, machine code, or a whole CUDA program", declare_emit},
    Row{"devices", "List the GPUs that can run tests, and what is missing", declare_devices},
    Row{"crossval", "Run tests on a GPU, and compare its outcomes with models and detectors", declare_crossval},
    Row{"merge", "Merge the logs of a campaign's shards", declare_merge},
    Row{"campaign", "Share the work of a command among many processes: Slurm, MPI, Kubernetes", declare_campaign},
    Row{"models", "List the memory models, or print one", declare_models},
    Row{"detect", "Run race detectors on traces, or on the runs of tests", declare_detect},
    Row{"exec", "Run a CUDA program on a virtual GPU under race detectors: ambit exec [OPTIONS] PROGRAM [ARGUMENTS]",
        declare_exec},
    Row{"nvcc", "Compile with nvcc and the options that ambit exec needs", declare_nvcc},
    Row{"validate", "Compare race detectors with labels, models and the oracle", declare_validate},
    Row{"scoreboard", "Write a page that scores all detectors and tools on all suites", declare_scoreboard},
    Row{"plugin", "Serve a race detector in a shared library as a detector program", declare_plugin},
    Row{"trace", "Check traces, and convert them between text and binary", declare_trace},
    Row{"help", "List all commands, or the options of one", declare_help},
    Row{"lsp", "Serve an editor over the standard streams (Language Server Protocol)", declare_lsp},
    Row{"mcp", "Serve an agent over the standard streams (Model Context Protocol)", declare_mcp},
    Row{"serve", "Serve the playground: a web page to write and try tests", declare_serve},
    Row{"serve-worker", "Answer one request of the playground", declare_serve_worker},
};

}  // namespace

CommandLine declare_program() {
  CommandLine line("ambit", "Ambit: what a scoped GPU program can do under a memory model, and whether it races",
                   fmt::format("ambit {}", AMBIT_VERSION));
  for (const Row& row : kCommands) line.add(row.name, row.description, row.declare);
  return line;
}

}  // namespace ambit::cli
