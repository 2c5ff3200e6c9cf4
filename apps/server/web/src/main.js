import { ask } from "./api.js";
import { lessonOf, makeCourse } from "./course.js";
import { makeDetectors } from "./detectors.js";
import { el, problem } from "./dom.js";
import { makeEditor } from "./editor.js";
import { makeSchedule } from "./schedule.js";
import { pack, unpack } from "./share.js";
import { makeSimulator } from "./simulator.js";
import { outcomes, verdicts } from "./verdicts.js";
import { explanations, pictures } from "./why.js";

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
const [groups, lessons, { models }] = await Promise.all([load("examples.json"), load("course.json"), ask("models", { do: "models" })]);
const course = makeCourse({ lessons, open });

const TABS = {
  verdicts: { title: "Verdicts", fill: async () => verdicts(await request("check")) },
  outcomes: { title: "Outcomes", fill: async () => outcomes(await request("outcomes")) },
  why: { title: "Why", fill: async () => explanations(await request("explain")) },
  picture: { title: "Picture", fill: async () => pictures(await request("graph")) },
  simulator: { title: "Simulator", fill: async () => (await simulator.show(), [simulator.box]) },
  detectors: { title: "Detectors", fill: (more) => detectors.fill(more) },
  course: { title: "Course", fill: async () => course.fill(), ofText: false },
};

function request(what) {
  return ask("answer", { do: what, text: editor.text, name, models: [...chosen] });
}

let timer;
let shown = 0;
/** Fills the panel with what the tab shows now. The panel is busy until then. */
async function show(more) {
  const mine = ++shown;
  clearTimeout(timer); // a change of the text that waits is answered with this
  find("status").textContent = "…";
  panel.setAttribute("aria-busy", "true");
  const begin = performance.now();
  const parts = await TABS[tab].fill(more);
  if (mine !== shown) return;
  panel.replaceChildren(...parts);
  panel.setAttribute("aria-busy", "false");
  find("status").textContent = `${Math.round(performance.now() - begin)} ms`;
}

function onChange() {
  if (TABS[tab].ofText === false) return;
  panel.setAttribute("aria-busy", "true");
  clearTimeout(timer);
  timer = setTimeout(show, 500);
}

/** Says above all else what could not be done; without a text nothing is said any more. */
function notice(text) {
  find("notice").replaceChildren(...(text ? [problem(text, el("button", { onclick: () => notice() }, "Close"))] : []));
}

/** Puts a test into the editor and asks at once. */
function open(text) {
  notice();
  editor.text = text;
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

function drawModels() {
  find("model-list").replaceChildren(
    el("p", { class: "soft" }, "None chosen: Ambit asks the models that the test's expectations name."),
    ...(models ?? []).map((model) => el("label", {},
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
    open(lesson ? course.go(lesson).text : groups[g].tests[t].text);
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

/** Chooses the models of a link that are here; what it asks beyond them cannot be chosen, nor taken back. */
function chooseModels(names) {
  const isKnown = (name) => !models || models.some((model) => model.name === name);
  chosen.clear();
  names.filter(isKnown).forEach((name) => chosen.add(name));
  const others = names.filter((name) => !isKnown(name));
  if (others.length) notice(`This link names unknown models: ${others.join(", ")}. They are left out.`);
}

/** Opens what the address names behind its #: a lesson, or a test that was shared. False: it named no test. */
async function follow() {
  notice();
  if (location.hash.length <= 1) return false;
  const lesson = lessonOf(location.hash);
  if (lesson) {
    const named = course.go(lesson);
    tab = "course";
    notice(named.problem);
    if (named.text === undefined) return false;
    editor.text = named.text;
    return true;
  }
  const state = await unpack(location.hash.slice(1));
  if (typeof state?.text !== "string") {
    notice("This link cannot be read: the test in it is not shown. It may have been cut when it was copied.");
    return false;
  }
  chooseModels(Array.isArray(state.models) ? state.models.map(String) : []);
  if (Object.hasOwn(TABS, state.tab)) tab = state.tab;
  editor.text = state.text;
  return true;
}

find("check").addEventListener("click", check);
find("share").addEventListener("click", share);
addEventListener("pointerdown", (event) => { if (!find("models").contains(event.target)) find("models").open = false; });
find("models").addEventListener("keydown", (event) => { if (event.key === "Escape") find("models").open = false; });
addEventListener("hashchange", async () => { await follow(); drawModels(); choose(tab); });
drawExamples();
drawTabs();
if (!(await follow())) editor.text = lessons[0].exercises[0].text;
drawModels();
choose(tab);
