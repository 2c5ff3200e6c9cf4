#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "parser/parse.h"
#include "runner/standalone/standalone.h"

namespace ambit::standalone {

using ProgramPtr = std::shared_ptr<const Program>;

/// Emits the program of a test. In the program's output, each column has the name of an observable.
inline Result<std::string> emitted(const SourceFilePtr& source, const Program& program) {
  LogStyle log{.test = program.name, .columns = {}};
  for (const Observable& one : program.observables) log.columns.push_back(one.name);
  return program_text(program, parser::kernel_text(source), log);
}

inline SourceFilePtr text_file(const std::string& path, const std::string& text) {
  return std::make_shared<const SourceFile>(SourceFile{path, text});
}

/// Emits the program of the test in `text`. Returns the program, or the errors.
inline std::string emitted_text(const std::string& text, const std::string& path = "t.litmus") {
  const SourceFilePtr source = text_file(path, text);
  const auto program = parser::parse_program(source);
  if (!program.ok()) return render(program.errors());
  const Result<std::string> result = emitted(source, *program.value());
  return result.ok() ? result.value() : render(result.errors());
}

}  // namespace ambit::standalone
