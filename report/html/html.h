#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"

namespace ambit::report {

/// Escapes text for HTML.
std::string html_text(std::string_view text);

/// Returns a whole HTML page in the common style. The page loads no other files. `body` is HTML. If `is_sortable` is
/// true, a click on the head of a table column sorts the table.
std::string html_page(std::string_view title, std::string_view body, bool is_sortable = false);

/// Returns a picture for html_page(). The picture follows the page's theme, and the reader can zoom and move it. `svg`:
/// SVG text as inline_svg() returns it. `label` describes the picture for readers who do not see it.
std::string html_picture(std::string_view svg, std::string_view label);

/// The meaning of a text's colour. Colour is never the only sign, because not all readers can distinguish
/// colours.
enum class Tone : std::uint8_t { Plain, Good, Bad, Doubtful, Soft };

/// Escapes a text, and returns it inside a <span> with a tone.
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
  SourceFilePtr lines = {};  ///< source that "line N" in the text links to
};

/// A table. The text of an upright head runs from bottom to top.
class HtmlTable {
 public:
  HtmlTable() = default;
  /// If the table has an `id` (without blanks), users can sort and filter the table.
  explicit HtmlTable(std::string id) : id_(std::move(id)) {}
  void head(std::string text, bool is_upright = false) { heads_.push_back({std::move(text), is_upright}); }
  /// Adds a common head above the heads of `columns` further columns.
  void group(std::string text, std::size_t columns) { groups_.push_back({std::move(text), columns}); }
  void add(std::vector<HtmlCell> row) { rows_.push_back(std::move(row)); }
  bool empty() const { return rows_.empty(); }
  std::string render() const;
  /// Returns a search field and, if some row has a failure, a check box. The field hides all rows that do not contain
  /// its text. The box hides all rows without a failure. A failure is a cell with Tone::Bad or Tone::Doubtful.
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

/// Returns a source as HTML, and highlights the words of the litmus language and of CUDA. Line N has the id `prefix`
/// + "LN".
std::string html_source(const SourceFile& source, std::string_view prefix = {});
/// Escapes a text. If `source`, which is on the same page, has line N, "line N" in the text becomes a link to it.
std::string html_with_lines(std::string_view text, const SourceFile& source);

/// Makes unique page names, for use in file names and links. A name contains letters, digits, '-', '_' and '.'; other
/// characters become '_'. No two names differ only in case, and no name is "index.html".
class PageNames {
 public:
  std::string add(std::string_view name);

 private:
  std::set<std::string> taken_{"index"};
};

}  // namespace ambit::report
