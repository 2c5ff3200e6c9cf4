#pragma once

#include <antlr4-runtime.h>

#include <exception>
#include <string>
#include <string_view>

#include "base/source.h"
#include "parser/text/reporter.h"

namespace ambit::parser {

/// An exception that ends the parse if the text has too many errors. read_file() catches the exception.
struct TooManySyntaxErrors : std::exception {};

/// Turns ANTLR's syntax errors into "expected X, found Y". Keeps only the first error in a line, because the first
/// error usually causes the other errors.
class SyntaxErrorListener : public antlr4::BaseErrorListener {
 public:
  /// `whole` is the word for the text in messages about the end of the text, for example "file".
  SyntaxErrorListener(const SourceFile& source, Reporter& reporter, std::string_view whole)
      : source_(source), reporter_(reporter), whole_(whole) {}

  void syntaxError(antlr4::Recognizer* recognizer, antlr4::Token* offending, std::size_t line, std::size_t column,
                   const std::string& message, std::exception_ptr error) override;

 private:
  const SourceFile& source_;
  Reporter& reporter_;
  std::string_view whole_;
  std::size_t last_line_ = 0;
  std::size_t end_of_body_ = 0;  ///< errors at earlier tokens follow from an error in the head of a thread
};

}  // namespace ambit::parser
