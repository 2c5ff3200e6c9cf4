#pragma once

#include "api/stepping.h"
#include "apps/server/request.h"

namespace ambit::server {

/// Steps along the request's choices (api::step_along).
///
/// Request: "memory" (sc|gpu), "warps" (independent|lockstep), "choices" (names, in order); "finish": true goes on to
/// the end at random, the same way for the same "seed". Throws BadRequest.
api::SteppedRun stepped_run(const Request& request);

/// The simulator along the choices of the request: what each step did, what caches and buffers hold, what can happen
/// next. The page steps back by leaving choices out. Throws BadRequest.
Json step(const Request& request);

}  // namespace ambit::server
