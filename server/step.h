#pragma once

#include "server/request.h"

namespace ambit::server {

/// The simulator after the choices that the request lists: what each step did, what stands in caches and buffers, what
/// can happen next. The page steps back by leaving choices out.
///
/// Request: "memory" (sc|gpu), "warps" (independent|lockstep), "choices" (names, in order). Throws BadRequest where a
/// choice is not possible.
Json step(const Request& request);

}  // namespace ambit::server
