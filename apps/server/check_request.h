#pragma once

#include "apps/server/request.h"

namespace ambit::server {

/// What each model says of the test, and where the test expects something of its waiting, what comes of that: a test
/// as in `ambit check --json`, each result with "words" (what `ambit check` says in its line), "details" and
/// "speaks_of_races". Throws BadRequest.
Json check(const Request& request);

/// The outcomes that each model allows: the same, each result with "outcome_texts", the outcomes with their values as
/// their types write them. Throws BadRequest.
Json outcomes(const Request& request);

}  // namespace ambit::server
