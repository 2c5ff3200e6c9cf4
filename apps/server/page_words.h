#pragma once

#include <string>

#include "apps/server/request.h"

namespace ambit::server {

/// A message in the words of the page, which has no options: what an option would do is said as a change of the text or
/// of the page's choices. A hint that still names an option is left out.
std::string page_text(std::string text);

/// The same of every string in an answer.
void use_page_words(Json& answer);

}  // namespace ambit::server
