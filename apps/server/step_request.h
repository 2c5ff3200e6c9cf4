#pragma once

#include "apps/server/request.h"

namespace ambit::server {

/// The simulator along the choices of the request (stepped_run): what each step did, what stands in caches and buffers,
/// what can happen next. The page steps back by leaving choices out. Throws BadRequest.
Json step(const Request& request);

}  // namespace ambit::server
