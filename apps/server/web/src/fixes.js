// Shows fixes of the test under a model. The server searches for fixes only on demand. A click applies a fix to the
// editor's text.
import { el } from "./dom.js";
import { indented, problem } from "./texts.js";

const STATES = {
  "nothing to do": "the test already meets the goal",
  none: "no change of the supported kinds achieves the goal",
  unknown: "unknown: the search was stopped, or some answer is unknown",
};

function fix(one, apply) {
  const head = el("h3", {}, el("code", {}, one.model), ` ${one.goal}`);
  if (one.state !== "found") return el("section", { class: "fix" }, head, el("p", {}, STATES[one.state]));
  const button = el("button", { class: "apply", onclick: () => apply(one.text) }, "Apply");
  return el("section", { class: "fix" }, head, el("ul", {}, ...one.changes.map((change) => el("li", {}, change))), indented(one.diff), button);
}

/** A box with a button. `find()` requests the fixes; `apply(text)` receives the changed text. */
export function fixes({ find, apply }) {
  const box = el("section", { class: "fixes" });
  const button = el("button", { id: "find-fixes", onclick: async () => {
    button.disabled = true;
    const answer = await find();
    const parts = answer.error ? [problem(answer.error)] : answer.fixes.map((one) => fix(one, apply));
    if (answer.not_asked?.length) parts.push(el("p", { class: "unknown" }, `Not asked: ${answer.not_asked.join(", ")}.`));
    if (parts.length === 0) parts.push(el("p", {}, "There is nothing to fix: none of these models defines races, and the test has no condition."));
    box.replaceChildren(...parts);
  } }, "Find a fix");
  box.append(button);
  return box;
}
