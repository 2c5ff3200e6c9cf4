#pragma once

#include "api/stepping.h"
#include "apps/server/request.h"

/// The requests of the playground. Each function answers one kind of request.
namespace ambit::server {

/// Returns the verdict of each model, and of each model and scheduler with an expectation about termination: a test as
/// in `ambit check --json`, each result with "words" (those of the line of `ambit check`), "details" and
/// "speaks_of_races". Throws BadRequest.
Json check(const Request& request);

/// Returns the outcomes that each model allows: like check(), each result with "outcome_texts", the outcomes with their
/// values in the notation of their types. Throws BadRequest.
Json outcomes(const Request& request);

/// Returns the report of each race detector on the run that the request steps along (stepped_run), as far as it goes.
///
/// Answer: "steps" (the choices taken), "ended", "stopped" and "incidents" as of a step, "events" and "detectors" as in
/// `ambit detect --json`, each access with its "line". Detectors that run a program themselves see the program, not
/// this run. Throws BadRequest.
Json detect(const Request& request);

/// Explains why each model allows or forbids the test's outcome, and why it races or not: {"explanations": [{model,
/// title, text}], "not_asked": [model]}. At most four models; "not_asked" has the others. Throws BadRequest.
Json explain(const Request& request);

/// Returns the cheapest changes after which a model finds no race, or else the condition cannot hold: {"fixes":
/// [{model, goal, state, changes, diff, text}], "not_asked": [model]}. "state": "nothing to do", "found", "none" or
/// "unknown"; "changes", "diff" and "text" (the whole changed text) if found. At most four models. Throws BadRequest.
Json fix(const Request& request);

/// Returns the executions that show the explained answers, in Graphviz' language: {"pictures": [{model, title, dot}],
/// "not_asked": [model]}. If there is no picture, "reason" replaces "dot". Throws BadRequest.
Json graph(const Request& request);

/// Steps along the request's choices (api::step_along).
///
/// Request: "memory" (sc|gpu), "warps" (independent|lockstep), "choices" (names, in order); "finish": true continues to
/// the end at random, reproducibly for each "seed". Throws BadRequest.
api::SteppedRun stepped_run(const Request& request);

/// Runs the simulator along the choices of the request: returns the effect of each step, the contents of caches and
/// buffers, and the possible next steps. The page steps back by omitting choices. Throws BadRequest.
Json step(const Request& request);

}  // namespace ambit::server
