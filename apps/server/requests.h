#pragma once

#include "api/stepping.h"
#include "apps/server/request.h"

/// What the playground can be asked. Each function answers one kind of request.
namespace ambit::server {

/// The verdict of each model, and of each model and scheduler of which the test expects termination: a test as in
/// `ambit check --json`, each result with "words" (those of the line of `ambit check`), "details" and
/// "speaks_of_races". Throws BadRequest.
Json check(const Request& request);

/// The outcomes that each model allows: the same, each result with "outcome_texts", the outcomes with their values as
/// their types write them. Throws BadRequest.
Json outcomes(const Request& request);

/// What each race detector says of the run that the request steps along (stepped_run), as far as it goes.
///
/// Answer: "steps" (the choices taken), "ended", "stopped" and "incidents" as of a step, "events" and "detectors" as in
/// `ambit detect --json`, each access with its "line". Detectors that run a program themselves see the program, not
/// this run. Throws BadRequest.
Json detect(const Request& request);

/// Why each model allows or forbids the test's outcome, and why it races or not: {"explanations": [{model, title,
/// text}], "not_asked": [model]}. At most four models; the others are those not asked. Throws BadRequest.
Json explain(const Request& request);

/// The cheapest changes after which a model finds no race, or else the condition cannot hold: {"fixes": [{model, goal,
/// state, changes, diff, text}], "not_asked": [model]}. "state": "nothing to do", "found", "none" or "unknown";
/// "changes", "diff" and "text" (the whole changed text) where found. At most four models. Throws BadRequest.
Json fix(const Request& request);

/// The executions that show it, in Graphviz' language: {"pictures": [{model, title, dot}], "not_asked": [model]}; in
/// place of "dot" there may be a "reason" why there is none. Throws BadRequest.
Json graph(const Request& request);

/// Steps along the request's choices (api::step_along).
///
/// Request: "memory" (sc|gpu), "warps" (independent|lockstep), "choices" (names, in order); "finish": true goes on to
/// the end at random, the same way for the same "seed". Throws BadRequest.
api::SteppedRun stepped_run(const Request& request);

/// The simulator along the choices of the request: what each step did, what caches and buffers hold, what can happen
/// next. The page steps back by leaving choices out. Throws BadRequest.
Json step(const Request& request);

}  // namespace ambit::server
