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

/// Returns a whole HTML page in the common style. The page loads no other files. `body` is HTML. With `is_sortable`, a
/// click on the head of a table column sorts the table.
std::string html_page(std::string_view title, std::string_view body, bool is_sortable = false);

/// Returns a picture for html_page(): it follows the page's theme, and the reader can zoom and move it. `svg`: SVG text
/// as inline_svg() returns it. `label` describes the picture for readers who do not see it.
std::string html_picture(std::string_view svg, std::string_view label);

/// The meaning of a text's colour. The text has the same meaning without the colour, because not all readers see
/// colours.
enum class Tone : std::uint8_t { Plain, Good, Bad, Doubtful, Soft };

/// Escapes a text, and returns it in a <span> with the tone.
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
  SourceFilePtr lines = {};  ///< source to which "line N" in the text links
};

/// A table. Heads in `upright` are rotated: their text runs from bottom to top.
class HtmlTable {
 public:
  HtmlTable() = default;
  /// With an `id` (without blanks), users can sort the table and use filter().
  explicit HtmlTable(std::string id) : id_(std::move(id)) {}
  void head(std::string text, bool is_upright = false) { heads_.push_back({std::move(text), is_upright}); }
  /// Adds a common head above the heads of the next `columns` columns.
  void group(std::string text, std::size_t columns) { groups_.push_back({std::move(text), columns}); }
  void add(std::vector<HtmlCell> row) { rows_.push_back(std::move(row)); }
  bool empty() const { return rows_.empty(); }
  std::string render() const;
  /// Returns a search field and, if some row has a failure, a check box. The field hides the rows that do not contain
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

/// Returns a source as HTML, with colours for the words of the litmus language and of CUDA. Line N has the id `prefix`
/// + "LN".
std::string html_source(const SourceFile& source, std::string_view prefix = {});
/// Escapes a text. If the source on the same page has line N, "line N" in the text links to this line.
std::string html_with_lines(std::string_view text, const SourceFile& source);

/// Makes unique page names, for use in file names and links. A name has letters, digits, '-', '_' and '.'; other
/// characters become '_'. Names differ in more than case, and are never "index.html".
class PageNames {
 public:
  std::string add(std::string_view name);

 private:
  std::set<std::string> taken_{"index"};
};

}  // namespace ambit::report
