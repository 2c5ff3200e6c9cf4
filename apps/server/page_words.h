#pragma once

#include <string>

#include "apps/server/request.h"

namespace ambit::server {

/// Rewrites a message for the page, which has no command-line options. Where the message named an option, the result
/// names a change to the text or a choice on the page. Removes a hint that still names an option.
std::string page_text(std::string text);

/// Applies page_text() to every string in an answer.
void use_page_words(Json& answer);

}  // namespace ambit::server
