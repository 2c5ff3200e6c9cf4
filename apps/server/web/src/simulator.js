// The simulator. Shows the past steps, the contents of caches and buffers, and the possible next steps.
import { el } from "./dom.js";
import { drawMachine } from "./machine.js";
import { newSeed } from "./schedule.js";
import { incidents, problem } from "./texts.js";

/** `schedule`: makeSchedule(); `mark(lines)`: marks lines in the editor; `width()`: the width for the picture. */
export function makeSimulator({ schedule, mark, width }) {
  const box = el("div", { id: "simulator" });
  let drawn = null; // the shown answer and its picture
  addEventListener("resize", () => {
    if (!drawn?.figure.isConnected) return;
    const figure = drawMachine(drawn.answer, width());
    drawn.figure.replaceWith(figure);
    drawn.figure = figure;
  });

  async function show(more) {
    schedule.follow();
    const answer = await schedule.step(more);
    if (answer.error) {
      const back = schedule.at > 0 ? button("sim-back", "← Back", () => go(schedule.at - 1)) : null;
      box.replaceChildren(el("div", { class: "choices" }, button("sim-restart", "Start again", restart), back, ...machines()), problem(answer.error));
      return;
    }
    if (more) schedule.replace(answer.steps.map((step) => step.choice));
    mark([answer.steps.at(-1)?.line]);
    const focused = document.activeElement?.id;
    box.replaceChildren(...draw(answer));
    if (focused) document.getElementById(focused)?.focus();
  }
  const restart = () => (schedule.restart(), show());
  const go = (to) => (schedule.go(to), show());

  const button = (id, text, onclick, disabled = false, title) => el("button", { id, disabled, onclick, title }, text);
  const select = (label, key, values) =>
    el("label", {}, label, " ", el("select", { id: `sim-${key}`, onchange: (event) => { schedule.options[key] = event.target.value; restart(); } },
      ...values.map((one) => el("option", { value: one, selected: one === schedule.options[key] }, one))));

  const machines = () => [select("memory", "memory", ["gpu", "sc"]), select("warps", "warps", ["independent", "lockstep"])];

  function ending(answer) {
    if (answer.stopped) return [problem(answer.stopped), ...incidents(answer)];
    if (!answer.outcome) return incidents(answer);
    const values = Object.entries(answer.outcome).map(([key, value]) => `${key} = ${value}`);
    return [el("p", { class: "mark", id: "sim-outcome" }, "Outcome: ", values.join(", ") || "nothing is observed"), ...incidents(answer)];
  }

  function draw(answer) {
    const { at, later } = schedule;
    /** A click applies to the shown step. Ignores further clicks until the next step is shown, so that a double click
        takes only one step. */
    const take = (choice) => { if (schedule.at === at) { schedule.take(choice); show(); } };
    const any = () => take(later ?? answer.next[newSeed() % answer.next.length].name);
    drawn = { answer, figure: drawMachine(answer, width()) };
    const bar = el("div", { class: "choices controls" },
      button("sim-restart", "Restart", restart, at === 0),
      button("sim-back", "← Back", () => go(at - 1), at === 0),
      button("sim-forward", "Forward →", any, answer.next.length === 0, "Repeat a step that was taken back, or take any possible step"),
      button("sim-run", "Run to the end", () => show({ finish: true, seed: newSeed() }), answer.next.length === 0));
    const next = answer.next.map((choice, i) =>
      el("button", { id: `sim-next-${i}`, class: choice.thread ? "" : "memory", title: choice.name, onclick: () => take(choice.name) }, choice.text));
    const steps = answer.steps.map((step, i) => el("li", {}, el("button", { class: "plain", title: "Step to here", onclick: () => go(i + 1) },
      step.text, step.line ? el("span", { class: "soft" }, `  line ${step.line}`) : "")));
    return [
      bar,
      el("div", { class: "choices" }, ...machines()),
      el("h3", {}, answer.next.length ? "What happens next?" : "The end"),
      el("div", { class: "choices", id: "sim-next" }, ...next),
      ...ending(answer),
      drawn.figure,
      el("h3", {}, `What has happened (${steps.length} ${steps.length === 1 ? "step" : "steps"})`),
      el("ol", { class: "steps" }, ...steps),
    ];
  }
  return { box, show };
}
