#pragma once

#include "server/request.h"

namespace ambit::server {

/// Why each model allows or forbids the test's outcome, and why it races or not: {"explanations": [{model, text}]}. At
/// most four models. Throws BadRequest.
Json explain(const Request& request);

/// The executions that show it, in Graphviz' language: {"pictures": [{model, title, dot}]}. Throws BadRequest.
Json graph(const Request& request);

}  // namespace ambit::server
