#pragma once

#include "apps/server/request.h"

namespace ambit::server {

/// The verdict of each model, and of each model and scheduler of which the test expects termination: a test as in
/// `ambit check --json`, each result with "words" (those of the line of `ambit check`), "details" and
/// "speaks_of_races". Throws BadRequest.
Json check(const Request& request);

/// The outcomes that each model allows: the same, each result with "outcome_texts", the outcomes with their values as
/// their types write them. Throws BadRequest.
Json outcomes(const Request& request);

}  // namespace ambit::server
