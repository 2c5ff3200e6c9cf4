import { ask } from "./api.js";
import { lessonOf, makeCourse } from "./course.js";
import { makeDetectors } from "./detectors.js";
import { el, problem } from "./dom.js";
import { makeEditor } from "./editor.js";
import { makeSchedule } from "./schedule.js";
import { pack, unpack } from "./share.js";
import { makeSimulator } from "./simulator.js";
import { outcomes, verdicts } from "./verdicts.js";

const find = (id) => document.getElementById(id);
const load = async (file) => (await fetch(file)).json();
const panel = find("panel");
const name = "test.litmus";
const chosen = new Set();
let tab = "verdicts";

const editor = makeEditor(find("editor"), { name: () => name, changed: onChange, run: check });
const schedule = makeSchedule({ text: () => editor.text, name: () => name });
const simulator = makeSimulator({ schedule, mark: (lines) => tab === "simulator" && editor.mark(lines) });
const detectors = makeDetectors({ schedule, show, mark: (lines) => tab === "detectors" && editor.mark(lines, "cm-raceline"), open: () => choose("simulator") });
const [groups, lessons] = await Promise.all([load("examples.json"), load("course.json")]);
const course = makeCourse({ lessons, open });

const TABS = {
  verdicts: { title: "Verdicts", fill: async () => verdicts(await request("check")) },
  outcomes: { title: "Outcomes", fill: async () => outcomes(await request("outcomes")) },
  why: { title: "Why", fill: async () => explanation(await request("explain")) },
  picture: { title: "Picture", fill: async () => picture(await request("graph")) },
  simulator: { title: "Simulator", fill: async () => (await simulator.show(), [simulator.box]) },
  detectors: { title: "Detectors", fill: (more) => detectors.fill(more) },
  course: { title: "Course", fill: async () => course.fill(), ofText: false },
};

function request(what) {
  return ask("answer", { do: what, text: editor.text, name, models: [...chosen] });
}

const section = (one, kind, content) => el("section", { class: kind }, el("h3", {}, el("code", {}, one.model), ` ${one.title ?? ""}`), content);

function explanation(answer) {
  if (answer.error) return [problem(answer.error)];
  return answer.explanations.map((one) => section(one, "why", el("pre", {}, one.text)));
}

function picture(answer) {
  if (answer.error) return [problem(answer.error)];
  if (answer.pictures.length === 0) return [el("p", {}, "There is no execution to draw.")];
  return answer.pictures.map((one) => section(one, "picture",
    el("img", { alt: one.title ?? "an execution", src: URL.createObjectURL(new Blob([one.svg], { type: "image/svg+xml" })),
      onload: (event) => URL.revokeObjectURL(event.target.src) })));
}

let shown = 0;
/** Fills the panel with what the tab shows now. The panel is busy until then. */
async function show(more) {
  const mine = ++shown;
  find("status").textContent = "…";
  panel.setAttribute("aria-busy", "true");
  const begin = performance.now();
  const parts = await TABS[tab].fill(more);
  if (mine !== shown) return;
  panel.replaceChildren(...parts);
  panel.setAttribute("aria-busy", "false");
  find("status").textContent = `${Math.round(performance.now() - begin)} ms`;
}

let timer;
function onChange() {
  if (TABS[tab].ofText === false) return;
  panel.setAttribute("aria-busy", "true");
  clearTimeout(timer);
  timer = setTimeout(show, 500);
}

/** Puts a test into the editor and asks at once. */
function open(text) {
  editor.text = text;
  clearTimeout(timer);
  show();
}

function choose(next) {
  tab = next;
  for (const key of Object.keys(TABS)) find(`tab-${key}`).setAttribute("aria-selected", String(key === tab));
  editor.mark([]);
  panel.scrollTop = 0;
  return show();
}

function check() {
  if (TABS[tab].ofText === false) choose("verdicts");
  else show();
}

function drawTabs() {
  find("tabs").replaceChildren(...Object.entries(TABS).map(([key, { title }]) =>
    el("button", { role: "tab", id: `tab-${key}`, "aria-selected": String(key === tab), onclick: () => choose(key) }, title)));
}

async function drawModels() {
  const { models = [] } = await ask("models", { do: "models" });
  find("model-list").replaceChildren(
    el("p", { class: "soft" }, "None chosen: those that the test expects something of."),
    ...models.map((model) => el("label", {},
      el("input", { type: "checkbox", value: model.name, checked: chosen.has(model.name),
        onchange: (event) => { if (event.target.checked) chosen.add(model.name); else chosen.delete(model.name); show(); } }),
      el("code", {}, model.name), el("small", {}, model.title))));
}

function drawExamples() {
  const option = (value, text) => el("option", { value }, text);
  find("examples").replaceChildren(option("", "choose…"),
    el("optgroup", { label: "Course" }, ...lessons.flatMap((lesson) => lesson.exercises.map((exercise, i) =>
      option(`lesson=${lesson.number}.${i + 1}`, `Lesson ${lesson.number}, exercise ${i + 1}: ${exercise.name.slice(3)}`)))),
    ...groups.map((group, g) => el("optgroup", { label: group.title }, ...group.tests.map((test, t) => option(`${g}.${t}`, test.name)))));
  find("examples").addEventListener("change", (event) => {
    const { value } = event.target;
    if (!value) return;
    const lesson = lessonOf(`#${value}`);
    const [g, t] = value.split(".").map(Number);
    open(lesson ? course.go(lesson) : groups[g].tests[t].text);
  });
}

async function share() {
  // Not by location.hash: that would open the link here.
  history.replaceState(null, "", `#${await pack({ text: editor.text, models: [...chosen], tab })}`);
  try {
    await navigator.clipboard.writeText(location.href);
    find("status").textContent = "link copied";
  } catch {
    find("status").textContent = "the link is in the address bar";
  }
}

/** Opens what the address names behind its #: a lesson, or a test that was shared. False: nothing. */
async function follow() {
  const lesson = location.hash === "#course" ? { lesson: 0 } : lessonOf(location.hash);
  if (lesson) {
    const text = course.go(lesson);
    if (text !== undefined) editor.text = text;
    tab = "course";
    return true;
  }
  const state = location.hash.length > 1 ? await unpack(location.hash.slice(1)) : null;
  if (!state || typeof state.text !== "string") return false;
  chosen.clear();
  for (const model of Array.isArray(state.models) ? state.models : []) chosen.add(String(model));
  if (Object.hasOwn(TABS, state.tab)) tab = state.tab;
  editor.text = state.text;
  return true;
}

find("check").addEventListener("click", check);
find("share").addEventListener("click", share);
addEventListener("pointerdown", (event) => { if (!find("models").contains(event.target)) find("models").open = false; });
find("models").addEventListener("keydown", (event) => { if (event.key === "Escape") find("models").open = false; });
addEventListener("hashchange", async () => (await follow()) && (choose(tab), drawModels()));
drawExamples();
drawTabs();
await follow();
if (!editor.text) editor.text = lessons[0].exercises[0].text;
choose(tab);
await drawModels();
