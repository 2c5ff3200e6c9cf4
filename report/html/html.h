#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/source.h"

namespace ambit::report {

/// Text as HTML shows it: what would be markup is escaped.
std::string html_text(std::string_view text);

/// A whole page with the house's style and, where `is_sortable`, tables that sort by a click on a head. Nothing in it
/// is loaded from elsewhere. `body` is HTML.
std::string html_page(std::string_view title, std::string_view body, bool is_sortable = false);

/// How a piece of text is meant; never the only sign of it, for colours are not seen by all.
enum class Tone : std::uint8_t { Plain, Good, Bad, Doubtful, Soft };

/// <span> with the tone around escaped text.
std::string html_span(std::string_view text, Tone tone);

/// A cell of a table, as plain text.
struct HtmlCell {
  std::string text;  ///< lines separated by '\n'
  Tone tone = Tone::Plain;
  std::string key = {};   ///< what it sorts by; empty: its text
  std::string link = {};  ///< a page's file name; empty: none
  enum class Place : std::uint8_t { Left, Middle, Right } place = Place::Left;
  std::string below = {};    ///< a second line, smaller
  std::size_t span = 1;      ///< columns that it takes
  SourceFilePtr lines = {};  ///< "line N" leads there
};

/// A table; heads in `upright` are written from bottom to top.
class HtmlTable {
 public:
  HtmlTable() = default;
  /// `id` without blanks: the table sorts and, with filter(), filters.
  explicit HtmlTable(std::string id) : id_(std::move(id)) {}
  void head(std::string text, bool is_upright = false) { heads_.push_back({std::move(text), is_upright}); }
  /// A head above the next `columns` heads.
  void group(std::string text, std::size_t columns) { groups_.push_back({std::move(text), columns}); }
  void add(std::vector<HtmlCell> row) { rows_.push_back(std::move(row)); }
  bool empty() const { return rows_.empty(); }
  std::string render() const;
  /// A field whose text hides the rows that do not hold it and, if some row is a failure, a box that hides the others.
  /// A failure has a cell of Tone::Bad or Tone::Doubtful.
  std::string filter() const;

 private:
  struct Head {
    std::string text;
    bool is_upright = false;
  };
  struct Group {
    std::string text;
    std::size_t columns = 1;
  };
  std::string groups() const;

  std::string id_;
  std::vector<Group> groups_;
  std::vector<Head> heads_;
  std::vector<std::vector<HtmlCell>> rows_;
};

/// A source with the colours of the litmus language and CUDA; line N has the id "LN" behind the prefix.
std::string html_source(const SourceFile& source, std::string_view prefix = {});
/// Escaped text in which "line N" leads to the line of a source on the same page, if the source has that line.
std::string html_with_lines(std::string_view text, const SourceFile& source);

/// Names of pages that are files and links: letters, digits, '-', '_', '.', anything else as '_'; each once, whatever
/// the case, and never "index.html".
class PageNames {
 public:
  std::string add(std::string_view name);

 private:
  std::set<std::string> taken_{"index"};
};

}  // namespace ambit::report
