// The simulator, stepped forward and back: what has happened, what stands in caches and buffers, what can happen next.
import { ask } from "./api.js";
import { el, problem } from "./dom.js";

export function makeSimulator({ text, name, mark }) {
  let choices = [];
  let memory = "gpu";
  let warps = "independent";
  const box = el("div");

  async function show() {
    const answer = await ask("step", { do: "step", text: text(), name: name(), memory, warps, choices });
    if (answer.error) {
      box.replaceChildren(problem(answer.error), el("button", { onclick: restart }, "Start again"));
      return;
    }
    mark(answer.steps.at(-1)?.line);
    box.replaceChildren(...draw(answer));
  }
  function restart() { choices = []; show(); }
  function take(choice) { choices.push(choice); show(); }
  function back() { choices.pop(); show(); }
  async function finish(answer) {
    // A random run from here on, one request a step.
    while (answer.next.length > 0 && choices.length < 500) {
      choices.push(answer.next[Math.floor(Math.random() * answer.next.length)]);
      answer = await ask("step", { do: "step", text: text(), name: name(), memory, warps, choices });
      if (answer.error) break;
    }
    show();
  }

  const select = (label, value, values, set) =>
    el("label", {}, label, " ", el("select", { onchange: (event) => { set(event.target.value); restart(); } },
      ...values.map((one) => el("option", { value: one, selected: one === value }, one))));

  function draw(answer) {
    const bar = el("div", { class: "choices" },
      el("button", { id: "sim-back", disabled: choices.length === 0, onclick: back }, "Back"),
      el("button", { id: "sim-restart", disabled: choices.length === 0, onclick: restart }, "Restart"),
      el("button", { id: "sim-run", disabled: answer.next.length === 0, onclick: () => finish(answer) }, "Run to the end"),
      select("memory", memory, ["gpu", "sc"], (value) => { memory = value; }),
      select("warps", warps, ["independent", "lockstep"], (value) => { warps = value; }));
    const threads = el("div", { class: "columns" }, ...answer.threads.map((thread) =>
      el("div", { class: `box ${thread.state}` }, el("h3", {}, thread.name),
        el("div", { class: "soft" }, thread.state === "ended" ? "has ended" : `${thread.state}${thread.line ? `, at line ${thread.line}` : ""}`))));
    const end = answer.outcome
      ? el("p", { class: "mark" }, "Outcome: ", Object.entries(answer.outcome).map(([key, value]) => `${key} = ${value}`).join(", "))
      : answer.ended ? problem("Nothing can happen any more, and some thread has not ended: a deadlock.") : null;
    return [
      bar, threads,
      el("h3", {}, answer.next.length ? "What happens next?" : "The end"),
      el("div", { class: "choices", id: "sim-next" }, ...answer.next.map((choice) => el("button", { onclick: () => take(choice) }, choice))),
      ...(end ? [end] : []),
      el("h3", {}, "Memory"), el("pre", { id: "sim-memory" }, answer.memory.join("\n")),
      el("h3", {}, "What has happened"),
      el("ol", { class: "steps" }, ...answer.steps.map((step) => el("li", {}, step.text ? `${step.thread} ${step.text}` : step.choice,
        step.line ? el("span", { class: "soft" }, `  line ${step.line}`) : ""))),
    ];
  }
  return { box, restart };
}
