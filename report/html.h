#pragma once

#include <string>
#include <string_view>

namespace ambit::report {

/// Text as HTML shows it: what would be markup is escaped.
std::string html_text(std::string_view text);

/// A whole page with the house's style and, where `is_sortable`, tables that sort by a click on a head. Nothing in it
/// is loaded from elsewhere. `body` is HTML.
std::string html_page(std::string_view title, std::string_view body, bool is_sortable = false);

/// A name that is a file's and a link's: letters, digits, '-', '_', '.', anything else as '_'.
std::string html_file_name(std::string_view name);

}  // namespace ambit::report
