#pragma once

#include "apps/server/request.h"

namespace ambit::server {

/// What each race detector says of the run that the request steps along (stepped_run), as far as it goes.
///
/// Answer: "steps" (the choices taken), "ended", "stopped" and "incidents" as of a step, "events" and "detectors" as in
/// `ambit detect --json`, each access with its "line". Detectors that run a program themselves see the program, not
/// this run. Throws BadRequest.
Json detect(const Request& request);

}  // namespace ambit::server
