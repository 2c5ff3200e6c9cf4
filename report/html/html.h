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

/// Returns a whole page in the common style. With `is_sortable`, a click on a table's head sorts the table. The page
/// loads no other files. `body` is HTML.
std::string html_page(std::string_view title, std::string_view body, bool is_sortable = false);

/// The tone of a text. It is never the only sign, because not all readers see colours.
enum class Tone : std::uint8_t { Plain, Good, Bad, Doubtful, Soft };

/// Returns a <span> with the tone around escaped text.
std::string html_span(std::string_view text, Tone tone);

/// A cell of a table, as plain text.
struct HtmlCell {
  std::string text;  ///< lines separated by '\n'
  Tone tone = Tone::Plain;
  std::string key = {};   ///< sort key; if empty, the text is the key
  std::string link = {};  ///< file name of a page to link to; may be empty
  enum class Place : std::uint8_t { Left, Middle, Right } place = Place::Left;
  std::string below = {};    ///< a second line in small type
  std::size_t span = 1;      ///< number of columns that the cell spans
  SourceFilePtr lines = {};  ///< source whose lines "line N" links to
};

/// A table. Heads in `upright` run from bottom to top.
class HtmlTable {
 public:
  HtmlTable() = default;
  /// `id` (without blanks) makes the table sortable, and the target of filter().
  explicit HtmlTable(std::string id) : id_(std::move(id)) {}
  void head(std::string text, bool is_upright = false) { heads_.push_back({std::move(text), is_upright}); }
  /// Adds a head above the next `columns` heads.
  void group(std::string text, std::size_t columns) { groups_.push_back({std::move(text), columns}); }
  void add(std::vector<HtmlCell> row) { rows_.push_back(std::move(row)); }
  bool empty() const { return rows_.empty(); }
  std::string render() const;
  /// Returns a field and, if some row is a failure, a box. The field hides the rows that do not contain its text; the
  /// box hides all rows without a failure. A failure has a cell of Tone::Bad or Tone::Doubtful.
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

/// Returns a source with the colours of the litmus language and CUDA. Line N has the id `prefix` + "LN".
std::string html_source(const SourceFile& source, std::string_view prefix = {});
/// Returns escaped text in which "line N" links to line N of a source on the same page, if the source has this line.
std::string html_with_lines(std::string_view text, const SourceFile& source);

/// Makes unique page names for files and links from letters, digits, '-', '_' and '.'; other characters become '_'.
/// Names are unique regardless of case, and never "index.html".
class PageNames {
 public:
  std::string add(std::string_view name);

 private:
  std::set<std::string> taken_{"index"};
};

}  // namespace ambit::report
