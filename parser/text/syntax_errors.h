#pragma once

#include <antlr4-runtime.h>

#include <exception>
#include <string>

#include "core/source.h"
#include "parser/text/reporter.h"

namespace ambit::parser {

/// Thrown through ANTLR's parser when there are too many errors; read_file catches it.
struct TooManySyntaxErrors : std::exception {};

/// Turns ANTLR's syntax errors into "expected X, found Y". Keeps only the first error of a line: the next ones are
/// usually its consequences.
class SyntaxErrorListener : public antlr4::BaseErrorListener {
 public:
  SyntaxErrorListener(const SourceFile& source, Reporter& reporter) : source_(source), reporter_(reporter) {}

  void syntaxError(antlr4::Recognizer* recognizer, antlr4::Token* offending, std::size_t line, std::size_t column,
                   const std::string& message, std::exception_ptr error) override;

 private:
  const SourceFile& source_;
  Reporter& reporter_;
  std::size_t last_line_ = 0;
};

}  // namespace ambit::parser
