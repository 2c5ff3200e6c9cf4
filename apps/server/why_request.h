#pragma once

#include "apps/server/request.h"

namespace ambit::server {

/// Why each model allows or forbids the test's outcome, and why it races or not: {"explanations": [{model, title,
/// text}], "not_asked": [model]}. At most four models; the others are those not asked. Throws BadRequest.
Json explain(const Request& request);

/// The executions that show it, in Graphviz' language: {"pictures": [{model, title, dot}], "not_asked": [model]}; in
/// place of "dot" there may be a "reason" why there is none. Throws BadRequest.
Json graph(const Request& request);

}  // namespace ambit::server
