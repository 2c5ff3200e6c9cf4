import { ask, stop } from "./api.js";
import { makeAside } from "./aside.js";
import { lessonOf, makeCourse } from "./course.js";
import { makeDetectors } from "./detectors.js";
import { el } from "./dom.js";
import { makeEditor } from "./editor.js";
import { makeExercises } from "./exercise.js";
import { fixes } from "./fixes.js";
import { makeFileBar } from "./filebar.js";
import { makeModels } from "./models.js";
import { makeSchedule } from "./schedule.js";
import { pack, unpack } from "./share.js";
import { makeSimulator } from "./simulator.js";
import { keepSession, lastSession } from "./store.js";
import { makeTabs } from "./tabs.js";
import { problem } from "./texts.js";
import { makeTheme } from "./theme.js";
import { outcomes, raceLines, verdicts } from "./verdicts.js";
import { makeWaiting } from "./waiting.js";
import welcome from "./welcome.litmus";
import { explanations, pictures } from "./why.js";

const find = (id) => document.getElementById(id);
const load = async (file) => (await fetch(file)).json();
const panel = find("panel");
let tab = "verdicts";

makeTheme(find("theme"));
const waiting = makeWaiting({ box: find("waiting"), panel, stop: halt });
const file = makeFileBar({ name: find("name"), kind: find("kind"), which: find("which"), changed: onChange });
const editor = makeEditor(find("editor"), { name: () => file.name, changed: onChange, run: check, told: (answer) => file.told(answer) && show(),
  refused });
const subject = () => ({ text: editor.text, ...file.subject });
const schedule = makeSchedule({ subject });
const widthOfPanel = () => panel.clientWidth - 2 * parseFloat(getComputedStyle(panel).paddingLeft);
const simulator = makeSimulator({ schedule, width: widthOfPanel, mark: (lines) => tab === "simulator" && editor.mark(lines) });
const detectors = makeDetectors({ schedule, show, mark: (lines) => tab === "detectors" && editor.mark(lines, "cm-raceline"), open: () => choose("simulator") });
const [groups, given, { models: known }] = await Promise.all([load("examples.json"), load("course.json"), ask("models", { do: "models" })]);
const models = makeModels({ button: find("models"), list: find("model-list"), known, changed: () => { save(); show(); } });
const exercises = makeExercises({ box: find("exercise"), title: given.title, restart: (one) => open(one.text, one), changed: () => tab === "course" && show() });
const aside = makeAside({ box: find("offer"), current: () => editor.text, bring: (state) => { notice(); restore(state); show(); } });
const course = makeCourse({ course: given, open, isSolved: exercises.isSolved });

const TABS = {
  verdicts: { title: "Verdicts", fill: fillVerdicts },
  outcomes: { title: "Outcomes", fill: async () => outcomes(await request("outcomes")) },
  why: { title: "Why", fill: async () => [fixes({ find: () => ask("fix", { do: "fix", ...subject(), models: models.chosen }), apply: editor.apply }), ...explanations(await request("explain"))] },
  picture: { title: "Picture", fill: async () => pictures(await request("graph")) },
  simulator: { title: "Simulator", fill: async () => (await simulator.show(), [simulator.box]) },
  detectors: { title: "Detectors", fill: (more) => detectors.fill(more) },
  course: { title: "Course", fill: async () => course.fill(), ofText: false },
};
const tabs = makeTabs({ box: find("tabs"), panel, titles: Object.fromEntries(Object.entries(TABS).map(([key, { title }]) => [key, title])), choose });

function request(what) {
  return ask("answer", { do: what, ...subject(), models: models.chosen });
}

const goTo = { why: () => choose("why"), picture: () => choose("picture"), simulator: () => choose("simulator"),
  fix: async () => { await choose("why"); find("find-fixes")?.click(); } };

/** Shows the verdicts, and marks the lines of the first race in the editor. */
async function fillVerdicts() {
  const answer = judged(await request("check"));
  if (tab === "verdicts") editor.mark(raceLines(answer), "cm-raceline");
  return verdicts(answer, goTo);
}

/** Returns whether the shown tab checks every expectation of an exercise, which is not the case if the user chose
    models. */
const isWholeCheck = () => tab === "verdicts" && models.chosen.length === 0;

function judged(answer) {
  if (isWholeCheck()) exercises.judge(editor.exercise, answer);
  return answer;
}

/** Checks the open exercise, unless the shown tab checks it. */
async function judge() {
  const { exercise } = editor;
  if (!exercise || isWholeCheck()) return;
  const { text } = editor;
  const answer = await ask("exercise", { do: "check", ...subject(), models: [] });
  if (text === editor.text) exercises.judge(exercise, answer);
}

let timer;
let shown = 0;
/** Requests the tab's content and fills the panel with it. The panel is busy until the content arrives. */
async function show(more) {
  const mine = ++shown;
  clearTimeout(timer); // this request already covers the pending change
  find("status").textContent = "…";
  waiting.begin();
  judge();
  const begin = performance.now();
  const parts = await TABS[tab].fill(more);
  if (mine !== shown) return;
  panel.replaceChildren(...parts);
  waiting.end();
  find("status").textContent = `${Math.round(performance.now() - begin)} ms`;
}

/** Stops waiting for an answer and closes the connection; the server then stops its work. */
function halt() {
  ++shown;
  clearTimeout(timer);
  stop("answer");
  stop("fix");
  waiting.end();
  find("status").textContent = "stopped";
  panel.replaceChildren(problem("Stopped: there is no answer to this test. ", el("button", { id: "again", onclick: () => show() }, "Ask again")));
}

function onChange() {
  isWritten = true;
  if (isRefusal) notice();
  settle();
  save();
  exercises.follow(editor.exercise, editor.text);
  // The address still names the text before the change, so it is cleared.
  if (location.hash && !lessonOf(location.hash)) history.replaceState(null, "", location.pathname);
  clearTimeout(timer);
  if (TABS[tab].ofText === false) {
    timer = setTimeout(judge, 500);
    return;
  }
  waiting.begin();
  timer = setTimeout(show, 500);
}

let isWritten = false; // whether the user has changed the text

const session = () => ({ text: editor.text, name: file.given, models: models.chosen, tab, exercise: editor.exercise?.name, hash: location.hash, isWritten });

function save() {
  keepSession(session());
}

let isRefusal = false; // whether the notice is about a locked line

/** Shows a notice above the page, or removes it if there is no text. */
function notice(text, ...more) {
  isRefusal = false;
  find("notice").replaceChildren(...(text ? [problem(text, ...more, el("button", { class: "close", onclick: () => notice() }, "Close"))] : []));
}

/** Reports that the user tried to change a locked line of the exercise. */
function refused() {
  notice("These lines judge the exercise: they are locked. ", el("button", { id: "leave", onclick: () => openOwn(editor.text) }, "Leave the exercise"));
  isRefusal = true;
}

let settled = null; // the exercise that settle() last showed

/** Shows the file name and the address of the open exercise. Undo can also change which exercise is open. */
function settle() {
  const { exercise } = editor;
  if (exercise !== settled) file.given = exercise?.file ?? "";
  settled = exercise;
  const at = lessonOf(location.hash);
  if (!at?.exercise) return;
  const name = exercise ? `#lesson=${exercise.lesson}.${exercise.number}` : `#lesson=${at.lesson}`;
  if (name !== location.hash) history.replaceState(null, "", name);
}

/** Puts a test into the editor. If the text lacks a locked line of the exercise, does nothing and returns false. */
function put(text, exercise) {
  if (!editor.open(text, exercise)) return false;
  file.given = exercise?.file ?? "";
  settle();
  exercises.follow(editor.exercise, editor.text);
  isWritten = false;
  save();
  return true;
}

/** Puts a test into the editor and checks it at once. */
function open(text, exercise) {
  notice();
  put(text, exercise);
  show();
}

/** Like open(), but for a user's text. */
function openOwn(text) {
  open(text);
  isWritten = true;
  save();
}

/** Opens an exercise with the user's last text. If the user wrote this text for an older version of the exercise, opens
    the initial text. The notice then offers to open the last text as a plain test. */
function openExercise(exercise) {
  const draft = exercises.draft(exercise) ?? exercise.text;
  if (put(draft, exercise)) return;
  put(exercise.text, exercise);
  notice("This exercise has changed since you wrote your text. ", el("button", { id: "before", onclick: () => openOwn(draft) }, "Bring the text back"));
}

function choose(next) {
  tab = next;
  tabs.select(tab);
  editor.mark([]);
  panel.scrollTop = 0;
  save();
  return show();
}

function check() {
  if (TABS[tab].ofText === false) choose("verdicts");
  else show();
}

function drawExamples() {
  const option = (value, text) => el("option", { value }, text);
  const [litmus, kernels, ...others] = groups.map((group, g) => el("optgroup", { label: group.title }, ...group.tests.map((test, t) => option(`${g}.${t}`, test.name))));
  const exercisesOf = given.lessons.flatMap((lesson) => lesson.exercises.map((exercise, i) =>
    option(`lesson=${lesson.number}.${i + 1}`, `Lesson ${lesson.number}, exercise ${i + 1}: ${exercise.title}`)));
  find("examples").replaceChildren(option("", "choose…"), option("welcome", "A first message"), litmus, kernels, el("optgroup", { label: "Course" }, ...exercisesOf), ...others);
  find("examples").addEventListener("change", (event) => {
    const { value } = event.target;
    if (!value) return;
    if (value === "welcome") return open(welcome);
    const lesson = lessonOf(`#${value}`);
    const [g, t] = value.split(".").map(Number);
    if (!lesson) return open(groups[g].tests[t].text);
    notice();
    openExercise(course.go(lesson).exercise);
    show();
  });
}

async function share() {
  // Does not set location.hash, because a change of location.hash makes this page open the link.
  history.replaceState(null, "", `#${await pack({ text: editor.text, name: file.given, models: models.chosen, tab })}`);
  save();
  try {
    await navigator.clipboard.writeText(location.href);
    find("status").textContent = "link copied";
  } catch {
    find("status").textContent = "the link is in the address bar";
  }
}

/** Chooses the models of a link. Ignores unknown models. */
function chooseModels(names) {
  const others = models.choose(names);
  if (others.length) notice(`This link names unknown models: ${others.join(", ")}. They are left out.`);
}

/** Opens the lesson or the shared test that the address names after #. Returns false if the address names no test. */
async function follow() {
  notice();
  if (location.hash.length <= 1) return false;
  const lesson = lessonOf(location.hash);
  if (lesson) {
    const named = course.go(lesson);
    tab = "course";
    notice(named.problem);
    if (named.exercise) openExercise(named.exercise);
    return Boolean(named.exercise);
  }
  const state = await unpack(location.hash.slice(1));
  if (typeof state?.text !== "string") {
    notice("This link cannot be read: the test in it is not shown. It may have been cut when it was copied.");
    return false;
  }
  chooseModels(Array.isArray(state.models) ? state.models.map(String) : []);
  if (Object.hasOwn(TABS, state.tab)) tab = state.tab;
  putState(state);
  return true;
}

function putState(state) {
  const exercise = given.lessons.flatMap((lesson) => lesson.exercises).find((one) => one.name === state.exercise);
  if (!put(state.text, exercise)) {
    put(state.text);
    notice("This exercise has changed since you wrote this text. ", el("button", { id: "anew", onclick: () => open(exercise.text, exercise) }, "Open the exercise"));
  }
  if (!exercise && typeof state.name === "string") file.given = state.name;
}

/** Restores an earlier text. */
function restore(state) {
  putState(state);
  isWritten = state.isWritten !== false;
  save();
}

/** Opens the text that the address names; otherwise the text before a reload; otherwise the first test. */
async function begin() {
  const last = lastSession();
  const isSame = typeof last?.text === "string" && (last.hash === location.hash || location.hash.length <= 1);
  if (isSame) {
    const lesson = lessonOf(location.hash);
    if (lesson) course.go(lesson);
    models.choose(Array.isArray(last.models) ? last.models : []);
    if (Object.hasOwn(TABS, last.tab)) tab = last.tab;
    restore(last);
    return;
  }
  if (given.isOwn) tab = "course";
  if (await follow()) return setAside(last);
  put(typeof last?.text === "string" ? last.text : welcome);
  if (last) isWritten = last.isWritten !== false;
}

/** Keeps the text that an opened link replaces. Drops an unchanged text, because the user can open it again. */
function setAside(last) {
  if (last?.text && last.isWritten !== false && last.text !== editor.text && last.text !== welcome) aside.add(last);
}

/** Handles a link opened on the page. makeExercises already keeps the user's text for an exercise. */
async function onLink() {
  const last = session();
  await follow();
  if (!last.exercise) setAside(last);
  choose(tab);
}

for (const lesson of given.lessons) {
  lesson.exercises.forEach((exercise, i) => Object.assign(exercise, { lesson: lesson.number, number: i + 1 }));
}
find("check").addEventListener("click", check);
find("share").addEventListener("click", share);
addEventListener("place", (event) => editor.go(event.detail.line, event.detail.column));
addEventListener("hashchange", onLink);
drawExamples();
await begin();
aside.offer();
choose(tab);
