#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/cli/run_command.h"
#include "model/verdict/verdict.h"
#include "parser/cat/model_store.h"
#include "report/results/run_result.h"
#include "runner/sim/schedule_file.h"

namespace ambit::cli {

/// Runs tests on the simulator, one file after the other.
class SimulatorRunner {
 public:
  /// Both must outlive it.
  SimulatorRunner(const RunCommand& command, const std::atomic<bool>& interrupted)
      : command_(command), interrupted_(interrupted) {}

  /// The tests of a file, at least one. With --show the run is printed as it is made.
  std::vector<report::RunResult> run(const std::string& file);

 private:
  using ProgramPtr = std::shared_ptr<const Program>;

  /// Takes --schedule and --model apart, once; an error message.
  std::string prepare();
  void run_program(report::RunResult& result);
  Result<sim::Simulation> simulate(const ProgramPtr& program, const sim::OnRun& on_run) const;
  std::string write_files(const ProgramPtr& program) const;
  void describe(report::RunResult& result) const;
  std::string ask_models(report::RunResult& result);

  const RunCommand& command_;
  const std::atomic<bool>& interrupted_;
  bool is_prepared_ = false;
  std::string preparation_error_;
  sim::Options options_;
  std::optional<sim::Schedule> schedule_;  ///< of --schedule FILE
  parser::ModelStore store_;
  std::vector<parser::RulesPtr> models_;
  verdict::Checker checker_;
};

}  // namespace ambit::cli
