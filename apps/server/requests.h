#pragma once

#include "api/stepping.h"
#include "apps/server/request.h"

/// The requests of the playground. Each function answers one kind of request.
namespace ambit::server {

/// Returns the verdict of each model, and of each pair of model and scheduler with an expectation about termination: a
/// test as in `ambit check --json`, each result with "words" (the words in the line of `ambit check`), "details" and
/// "speaks_of_races". Throws BadRequest.
Json check(const Request& request);

/// Returns the outcomes that each model allows. The form is that of check(); each result also has "outcome_texts", the
/// outcomes with their values in the notation of their types. Throws BadRequest.
Json outcomes(const Request& request);

/// Returns the report of each race detector on the request's run (stepped_run) up to its last step.
///
/// Answer: "steps" (the choices taken), "ended", "stopped" and "incidents" as in step(), "events" and "detectors" as in
/// `ambit detect --json`, each access with its "line". Detectors that process programs run the program themselves and
/// do not see this run. Throws BadRequest.
/// this run. Throws BadRequest.
Json detect(const Request& request);

/// Explains why each model allows or forbids the test's outcome, and why the test races or not: {"explanations":
/// [{model, title, text}], "not_asked": [model]}. Explains at most four models; "not_asked" lists the others. Throws
/// BadRequest.
Json explain(const Request& request);

/// Returns the cheapest changes after which a model finds no race, or else the condition cannot hold: {"fixes":
/// [{model, goal, state, changes, diff, text}], "not_asked": [model]}. "state" is "nothing to do", "found", "none" or
/// "unknown". If "found", "changes", "diff" and "text" (the whole changed text) are present. Covers at most four
/// models. Throws BadRequest.
Json fix(const Request& request);

/// Returns the executions that show the explained answers, in Graphviz' language: {"pictures": [{model, title, dot}],
/// "not_asked": [model]}. If there is no picture, "reason" replaces "dot". Throws BadRequest.
Json graph(const Request& request);

/// Runs the simulator along the request's choices (api::step_along).
///
/// Request: "memory" (sc|gpu), "warps" (independent|lockstep), "choices" (names, in order). "finish": true continues to
/// the end at random, reproducibly for each "seed". Throws BadRequest.
api::SteppedRun stepped_run(const Request& request);

/// Runs the simulator along the choices of the request. Returns the effect of each step, the contents of caches and
/// buffers, and the possible next steps. The page steps back by omitting choices. Throws BadRequest.
Json step(const Request& request);

}  // namespace ambit::server
