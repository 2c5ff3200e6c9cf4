import { ask } from "./api.js";
import { el, problem } from "./dom.js";
import { makeEditor } from "./editor.js";
import { pack, unpack } from "./share.js";
import { makeSimulator } from "./simulator.js";
import { outcomes, verdicts } from "./verdicts.js";

const find = (id) => document.getElementById(id);
const panel = find("panel");
let tab = "verdicts";
let name = "test.litmus";
const chosen = new Set();

const editor = makeEditor(find("editor"), { name: () => name, changed: onChange, run: () => show() });
const simulator = makeSimulator({ text: () => editor.text, name: () => name, mark: (line) => editor.mark(line) });

const TABS = {
  verdicts: { title: "Verdicts", fill: async () => verdicts(await request("check")) },
  outcomes: { title: "Outcomes", fill: async () => outcomes(await request("outcomes")) },
  why: { title: "Why", fill: async () => explanation(await request("explain")) },
  picture: { title: "Picture", fill: async () => picture(await request("graph")) },
  simulator: { title: "Simulator", fill: async () => { simulator.restart(); return [simulator.box]; } },
};

function request(what) {
  return ask("answer", { do: what, text: editor.text, name, models: [...chosen] });
}

function explanation(answer) {
  if (answer.error) return [problem(answer.error)];
  return answer.explanations.map((one) => el("section", {}, el("h3", {}, el("code", {}, one.model), ` ${one.title}`), el("pre", {}, one.text)));
}

function picture(answer) {
  if (answer.error) return [problem(answer.error)];
  return answer.pictures.map((one) => el("section", { class: "picture" }, el("h3", {}, el("code", {}, one.model), ` ${one.title ?? ""}`),
    el("img", { alt: one.title ?? "an execution", src: URL.createObjectURL(new Blob([one.svg], { type: "image/svg+xml" })) })));
}

let shown = 0;
async function show() {
  const mine = ++shown;
  find("status").textContent = "…";
  const begin = performance.now();
  const parts = await TABS[tab].fill();
  if (mine !== shown) return;
  panel.replaceChildren(...parts);
  find("status").textContent = `${Math.round(performance.now() - begin)} ms`;
}

let timer;
function onChange() {
  clearTimeout(timer);
  timer = setTimeout(show, 500);
}

function drawTabs() {
  find("tabs").replaceChildren(...Object.entries(TABS).map(([key, { title }]) =>
    el("button", { role: "tab", id: `tab-${key}`, "aria-selected": String(key === tab), onclick: () => { tab = key; drawTabs(); editor.mark(0); show(); } }, title)));
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

async function drawExamples() {
  const groups = await (await fetch("examples.json")).json();
  find("examples").replaceChildren(el("option", { value: "" }, "choose…"), ...groups.map((group, g) =>
    el("optgroup", { label: group.title }, ...group.tests.map((test, t) => el("option", { value: `${g}.${t}` }, test.name)))));
  find("examples").addEventListener("change", (event) => {
    if (!event.target.value) return;
    const [g, t] = event.target.value.split(".").map(Number);
    name = "test.litmus";
    editor.text = groups[g].tests[t].text;
  });
  return groups;
}

async function share() {
  location.hash = await pack({ text: editor.text, models: [...chosen], tab });
  try {
    await navigator.clipboard.writeText(location.href);
    find("status").textContent = "link copied";
  } catch {
    find("status").textContent = "the link is in the address bar";
  }
}

async function restore() {
  const state = location.hash.length > 1 ? await unpack(location.hash.slice(1)) : null;
  if (!state || typeof state.text !== "string") return false;
  for (const model of Array.isArray(state.models) ? state.models : []) chosen.add(String(model));
  if (state.tab in TABS) tab = state.tab;
  editor.text = state.text;
  return true;
}

find("check").addEventListener("click", () => show());
find("share").addEventListener("click", share);
const groups = await drawExamples();
if (!(await restore())) editor.text = groups[0]?.tests[0]?.text ?? "";
drawTabs();
await drawModels();
