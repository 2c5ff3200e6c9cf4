#pragma once

#include <cstdint>
#include <istream>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace.h"
#include "trace/line_source.h"
#include "trace/text_words.h"
#include "trace/trace_checker.h"

namespace ambit::trace {

/// Reads the text format (docs/reference/traces.md) line by line.
class TextTraceReader : public TraceReader {
 public:
  /// `name` is the name of the input in error messages.
  TextTraceReader(std::unique_ptr<std::istream> in, std::string name);

  const TraceTables& tables() const override { return tables_; }
  Result<std::size_t> read(std::span<TraceEvent> events) override;

 private:
  struct Token {
    std::string_view text;
    std::uint32_t column = 1;
  };
  /// An error whose place is a token of the line.
  struct Complaint {
    Token at;
    std::string message;
    std::string hint;
  };
  using Outcome = std::optional<Complaint>;

  static std::vector<Token> split(std::string_view line);
  Diagnostic diagnose(const Complaint& complaint) const;
  /// Reads a line that is not an event. Returns false if the line is an event.
  bool take_directive(const std::vector<Token>& tokens, Outcome& outcome);
  Outcome take_title(const std::vector<Token>& tokens);
  Outcome take_launch(const std::vector<Token>& tokens);
  Outcome take_launch_item(const Token& token);
  Outcome take_place(const Token& token, PlaceName& place) const;
  Outcome take_thread(const std::vector<Token>& tokens);
  Outcome take_object(const std::vector<Token>& tokens);
  Outcome take_initial(const std::vector<Token>& tokens);
  Outcome take_end(const std::vector<Token>& tokens);
  Outcome take_event(const std::vector<Token>& tokens, TraceEvent& event);
  Outcome take_operand(const std::vector<Token>& tokens, std::size_t& next, TraceEvent& event);
  Outcome take_operation(const Token& token, TraceEvent& event);
  Outcome take_group_wait(const std::vector<Token>& tokens, std::size_t& next, TraceEvent& event);
  Outcome take_barrier(const std::vector<Token>& tokens, std::size_t& next, TraceEvent& event);
  Outcome find_thread(const Token& token, std::uint32_t& thread);
  /// `token` is the word that contains the name.
  Outcome find_location(const Token& token, std::string_view name, std::uint32_t& location);
  Outcome at_end() const;

  LineSource lines_;
  TraceTables tables_;
  TraceChecker checker_;
  std::uint64_t events_ = 0;
  bool has_title_ = false;
  bool has_launch_ = false;
  bool is_sealed_ = false;
  bool has_ended_ = false;
};

/// Writes the text format. The output is sealed: its last line contains the number of events, so that a reader can
/// detect a truncated file.
class TextTraceWriter : public TraceWriter {
 public:
  /// `out` must outlive the writer.
  explicit TextTraceWriter(std::ostream& out) : out_(out) {}
  /// Writes the events. Returns an error if a name makes a line too long.
  Result<bool> write(const TraceTables& tables, std::span<const TraceEvent> events) override;
  Result<bool> finish(const TraceTables& tables) override;

 private:
  void write_names(const TraceTables& tables);
  void write_header(const TraceTables& tables);
  void write_line(const std::string& line);

  std::ostream& out_;
  bool has_header_ = false;
  bool has_long_line_ = false;  ///< whether a line is too long for readers
  std::size_t threads_ = 0;
  std::size_t objects_ = 0;
  std::size_t locations_ = 0;
  std::uint64_t events_ = 0;
};

/// Returns an event as a line of the text format, without the line end.
std::string to_text(const TraceEvent& event, const TraceTables& tables);

}  // namespace ambit::trace
