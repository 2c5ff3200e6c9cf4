#pragma once

#include "api/hardware/stepping.h"
#include "apps/server/request.h"

/// The playground's requests. Each function answers one kind of request.
namespace ambit::server {

/// Returns the verdict of each model. For an expectation about termination, also returns the verdict of the
/// expectation's model under the expectation's scheduler. The answer has the form of a test in `ambit check --json`.
/// Each result also has "words" (those of `ambit check`), "details" and "speaks_of_races". Throws BadRequest.
Json check(const Request& request);

/// Returns the outcomes that each model allows. The answer has the form of the answer of check(). Each result also has
/// "outcome_texts": the outcomes, with each value in the notation of its type. Throws BadRequest.
Json outcomes(const Request& request);

/// Returns each race detector's report on the request's run (stepped_run) up to its last step. Detectors that process
/// programs do not get this run, because they run the program themselves.
///
/// Answer: "steps" (the choices taken); "ended", "stopped" and "incidents" as in step(); "events" and "detectors" as in
/// `ambit detect --json`. Each access also has its "line". Throws BadRequest.
Json detect(const Request& request);

/// Explains why each model allows or forbids the test's outcome, and why the test races or not: {"explanations":
/// [{model, title, text}], "not_asked": [model]}. Explains at most four models; "not_asked" lists the other models.
/// Throws BadRequest.
Json explain(const Request& request);

/// For each model, returns the cheapest changes after which the model finds no race: {"fixes": [{model, goal, state,
/// changes, diff, text}], "not_asked": [model]}. If a model finds no race in the test, the goal is that the condition
/// cannot hold. "state" is "nothing to do", "found", "none" or "unknown". If "state" is "found", the answer also has
/// "changes", "diff" and "text" (the whole changed text). Asks at most four models. Throws BadRequest.
Json fix(const Request& request);

/// Returns pictures, in the DOT language, of the executions that explain() shows: {"pictures": [{model, title, dot}],
/// "not_asked": [model]}. If there is no picture, "reason" replaces "dot". Throws BadRequest.
Json graph(const Request& request);

/// Runs the simulator with the request's choices (api::step_along).
///
/// Request: "memory" (sc|gpu), "warps" (independent|lockstep), "choices" (names, in order), "finish", "seed". If
/// "finish" is true, continues to the end with random choices that depend only on "seed". Throws BadRequest.
api::SteppedRun stepped_run(const Request& request);

/// Runs the simulator with the request's choices. Returns the effect of each step, the contents of caches and
/// buffers, and the possible next steps. To step back, the page sends fewer choices. Throws BadRequest.
Json step(const Request& request);

}  // namespace ambit::server
