// The reports of race detectors on the schedule that the user chose step by step in the simulator.
import { el, table } from "./dom.js";
import { newSeed } from "./schedule.js";
import { incidents, linked, problem } from "./texts.js";

const access = (side) => `${side.thread ?? "a thread"} ${side.atomic ? "atomic " : ""}${side.write ? "write" : "read"}${side.line ? `, line ${side.line}` : ""}`;

/** Returns the sentence about a race, without the part at its beginning that names the two accesses. */
const reason = (race) => race.sentence.split(`(${race.second.site}): `).at(-1);

/** `show()`: updates the tab; `mark(lines)`: marks lines in the editor; `open()`: shows the simulator. */
export function makeDetectors({ schedule, show, mark, open }) {
  function reports(one, marked) {
    const list = el("ul", { class: "races" });
    for (const race of one.races) {
      const lines = [race.first.line, race.second.line].filter(Boolean);
      lines.forEach((line) => marked.add(line));
      list.append(el("li", {}, el("strong", { class: "bad" }, `race on ${race.location ?? "memory"}`),
        ` (${race.kind}, ${race.level} level): `,
        el("button", { class: "plain lines", title: "Mark only these lines", onclick: () => mark(lines) }, `${access(race.first)}; ${access(race.second)}`),
        el("div", { class: "soft" }, ...linked(reason(race)))));
    }
    for (const remark of one.remarks) list.append(el("li", { class: "soft" }, remark));
    return list;
  }

  function verdict(one) {
    if (one.not_judged) return el("span", { class: "unknown" }, `not judged: ${one.not_judged}`);
    if (one.races.length) return el("span", { class: "bad mark" }, `${one.races.length} ${one.races.length === 1 ? "race" : "races"}`);
    return one.is_open ? el("span", { class: "unknown" }, "not known") : el("span", { class: "soft" }, "no race seen in this schedule");
  }

  function rows(answer, marked) {
    return answer.detectors.map((one) => [
      el("td", {}, el("code", {}, one.detector), el("div", { class: "soft small" }, one.summary)),
      el("td", { "data-detector": one.detector }, verdict(one), one.races.length + one.remarks.length ? reports(one, marked) : null),
    ]);
  }

  /** Makes a schedule if the user has made no choice. If the user has undone all steps of a schedule, keeps this
      schedule. */
  async function fill(more) {
    schedule.follow();
    const isNew = more || schedule.length === 0;
    const answer = await schedule.detect(isNew ? { finish: true, seed: newSeed(), ...more } : {});
    if (answer.error) return [problem(answer.error)];
    if (isNew) schedule.replace(answer.steps);
    const marked = new Set();
    const list = rows(answer, marked);
    mark([...marked]);
    const steps = `${answer.steps.length} ${answer.steps.length === 1 ? "step" : "steps"}`;
    const length = `${steps}, ${schedule.options.memory} memory`;
    return [
      el("p", { id: "detect-schedule" }, answer.stopped ? `A schedule without an outcome, ${length}: ${answer.stopped}.`
        : answer.ended ? `One whole schedule, ${length}.`
        : `The schedule of the simulator, ${length}. It has not ended: the detectors have seen only this part.`),
      ...incidents(answer),
      el("div", { class: "choices" },
        el("button", { id: "detect-other", onclick: () => (schedule.restart(), show()) }, "Another schedule"),
        el("button", { id: "detect-finish", disabled: answer.ended || Boolean(answer.stopped), onclick: () => show({}) }, "Run it to the end"),
        el("button", { id: "detect-step", onclick: () => open() }, "Step it in the simulator")),
      ...(answer.open_sections.length ? [el("p", {}, `It ends inside critical sections: ${answer.open_sections.join(", ")}.`)] : []),
      table(["detector", "in this schedule"], list),
      el("p", { class: "soft" }, "A detector sees only this schedule. Even if it reports no race, another schedule may have a race. The tab Verdicts covers every execution."),
    ];
  }
  return { fill };
}
