#pragma once

#include <antlr4-runtime.h>

#include <exception>
#include <string>
#include <string_view>

#include "core/source.h"
#include "parser/text/reporter.h"

namespace ambit::parser {

/// Thrown through ANTLR's parser when there are so many errors that reading on helps nobody; caught by parse_program.
struct TooManySyntaxErrors : std::exception {};

/// Turns ANTLR's syntax errors into "expected X, found Y" in plain words. Only the first error of a line is kept: what
/// follows it is usually its consequence.
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
