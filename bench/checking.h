#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "model/verdict/verdict.h"
#include "parser/parse.h"

/// Functions that several benchmarks use to parse and check a litmus text. The functions throw if a text or a model has
/// an error.
namespace ambit::bench {

inline std::shared_ptr<const rules::Rules> model(const std::string& reference) {
  const auto parsed = parser::parse_model_reference(reference);
  if (!parsed.ok()) throw std::runtime_error(render(parsed.errors()));
  const auto loaded = parser::load_model(parsed.value().name, parsed.value().options);
  if (!loaded.ok()) throw std::runtime_error(render(loaded.errors()));
  return loaded.value();
}

inline SourceFilePtr text(const std::string& litmus) {
  return std::make_shared<const SourceFile>(SourceFile{"<benchmark>", litmus});
}

inline std::shared_ptr<const Program> parse(const SourceFilePtr& source) {
  const auto program = parser::parse_program(source);
  if (!program.ok()) throw std::runtime_error(render(program.errors()));
  return program.value();
}

/// Checks the condition, flags and incidents, like `ambit check`.
inline verdict::Verdict check(verdict::Checker& checker, const std::shared_ptr<const Program>& program,
                              const std::shared_ptr<const rules::Rules>& rules, const verdict::CheckOptions& options) {
  Context context;
  auto verdict = checker.check(program, rules, options, context);
  if (!verdict.ok()) throw std::runtime_error(render(verdict.errors()));
  if (verdict.value().unknown) throw std::runtime_error("unknown: " + verdict.value().unknown_detail);
  return std::move(verdict).value();
}

}  // namespace ambit::bench
