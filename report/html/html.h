#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/source.h"

namespace ambit::report {

/// Escapes text for HTML.
std::string html_text(std::string_view text);

/// Returns a whole page in the common style. With `is_sortable`, a click on a head sorts its table. The page loads
/// nothing. `body` is HTML.
std::string html_page(std::string_view title, std::string_view body, bool is_sortable = false);

/// The tone of a text. It is never the only sign, because not all readers see colours.
enum class Tone : std::uint8_t { Plain, Good, Bad, Doubtful, Soft };

/// Returns a <span> with the tone around escaped text.
std::string html_span(std::string_view text, Tone tone);

/// A cell of a table, as plain text.
struct HtmlCell {
  std::string text;  ///< lines separated by '\n'
  Tone tone = Tone::Plain;
  std::string key = {};   ///< sort key; empty: its text
  std::string link = {};  ///< a page's file name; empty: none
  enum class Place : std::uint8_t { Left, Middle, Right } place = Place::Left;
  std::string below = {};    ///< a second line, smaller
  std::size_t span = 1;      ///< number of columns
  SourceFilePtr lines = {};  ///< "line N" links to its line N
};

/// A table; heads in `upright` run from bottom to top.
class HtmlTable {
 public:
  HtmlTable() = default;
  /// `id` without blanks: the table sorts and, with filter(), filters.
  explicit HtmlTable(std::string id) : id_(std::move(id)) {}
  void head(std::string text, bool is_upright = false) { heads_.push_back({std::move(text), is_upright}); }
  /// Adds a head above the next `columns` heads.
  void group(std::string text, std::size_t columns) { groups_.push_back({std::move(text), columns}); }
  void add(std::vector<HtmlCell> row) { rows_.push_back(std::move(row)); }
  bool empty() const { return rows_.empty(); }
  std::string render() const;
  /// Returns a field whose text hides the rows without this text and, if some row is a failure, a box that hides the
  /// others. A failure has a cell of Tone::Bad or Tone::Doubtful.
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

/// Returns a source with the colours of the litmus language and CUDA. Line N has the id "LN" after the prefix.
std::string html_source(const SourceFile& source, std::string_view prefix = {});
/// Returns escaped text in which "line N" links to the line of a source on the same page, if the source has that line.
std::string html_with_lines(std::string_view text, const SourceFile& source);

/// Unique names of pages that are files and links: letters, digits, '-', '_', '.', anything else as '_'; unique
/// regardless of case, and never "index.html".
class PageNames {
 public:
  std::string add(std::string_view name);

 private:
  std::set<std::string> taken_{"index"};
};

}  // namespace ambit::report
