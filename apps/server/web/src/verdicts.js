// Shows verdicts and outcomes as tables.
import { el, table } from "./dom.js";
import { answerMarks, indented, place, problem, remarks } from "./texts.js";

const CLASSES = { OK: "good", FAIL: "bad", UNKNOWN: "unknown", ERROR: "bad", "--": "soft" };

/** Returns a model's answer about races and other incidents, such as failed assertions and divergent barriers. */
function race({ race, races, incidents, words }) {
  if (words.race === "-" || words.race === "") return "–"; // the model does not define races
  const text = words.race.replace(/^-, /, "").replace(/^norace/, "no race").replace(/^race \?/, "races not known");
  const isBad = race || (races ?? []).length > 0 || (incidents ?? []).some((one) => one.possible);
  const isGood = race === false && !isBad && (incidents ?? []).length === 0;
  return el("span", { class: isBad ? "bad" : isGood ? "good" : "unknown" }, text);
}

const FREQUENCIES = { "?": "not known", "-": "–", empty: "no execution" };

const MOST_RACES = 3;

/** Returns each distinct race once, with the models that report it. Several models often report the same two accesses.
    */
function racesOf(results) {
  const races = new Map();
  for (const result of results) {
    for (const race of result.races ?? []) {
      const key = JSON.stringify([race.location, ...[race.first, race.second].map((one) => [one.line, one.text, one.event])]);
      const one = races.get(key) ?? races.set(key, { race, models: [] }).get(key);
      if (!one.models.includes(result.model)) one.models.push(result.model);
    }
  }
  return [...races.values()];
}

const names = (models) => models.flatMap((model, i) => [i > 0 ? ", " : "", el("code", {}, model)]);

const access = ({ thread, event, line, text }) => [thread, event, line ? place(`line ${line}`, line) : "", el("code", {}, text)];

function raceBoxes(races) {
  const boxes = races.slice(0, MOST_RACES).map(({ race, models }) => el("section", { class: "race" },
    el("h3", { class: "bad" }, `Race${race.location ? ` on ${race.location}` : ""}`, el("small", { class: "soft" }, " under ", ...names(models))),
    table(["thread", "access", "", ""], [access(race.first), access(race.second)])));
  if (races.length > MOST_RACES) boxes.push(el("p", { class: "soft" }, `${races.length - MOST_RACES} more races are in the details below.`));
  return boxes;
}

const canHold = (result) => result.condition?.quantifier === "exists" && ["Sometimes", "Always"].includes(result.frequency);

/** Returns the buttons that lead to the next steps. `go`: functions that show a part of the page. */
function nextSteps(results, isRacy, go) {
  if (!results.some((result) => result.words.frequency || result.race !== null)) return [];
  const step = (id, text, action) => el("button", { id: `next-${id}`, onclick: action }, text);
  return [el("div", { class: "choices next" }, el("span", { class: "soft" }, "Next:"), step("why", isRacy ? "Why is there a race?" : "Why?", go.why),
    isRacy || results.some(canHold) ? step("fix", "Find a fix", go.fix) : null, step("picture", "See a picture", go.picture), step("simulator", "Step through it", go.simulator))];
}

/** Returns the details of the results, joined for models with equal details. Opens the details that answer the
    question: the details of the first race; otherwise, of the first unmet expectation; otherwise, of the first model
    under which the condition can hold. */
function evidence(results) {
  const groups = new Map();
  for (const result of results) {
    const text = result.error ?? result.details;
    if (text) (groups.get(text) ?? groups.set(text, []).get(text)).push(result);
  }
  const list = [...groups];
  const first = (test) => list.find(([, group]) => group.some(test));
  const open = list.length === 1 ? list[0] : first((one) => one.race) ?? first((one) => one.status === "FAIL") ?? first(canHold);
  return list.map((entry) => el("details", { open: entry === open }, el("summary", {}, ...names(entry[1].map((one) => one.model)), " in detail"), indented(entry[0], answerMarks)));
}

export const raceLines = (answer) => racesOf(answer.results ?? []).slice(0, 1).flatMap(({ race }) => [race.first.line, race.second.line]).filter(Boolean);

/** `go`: functions that show the other parts of the page: why, fix, picture, simulator. */
export function verdicts(answer, go) {
  if (answer.error) return [problem(answer.error)];
  const rows = answer.results.map((result) => [
    el("td", {}, el("span", { class: `mark ${CLASSES[result.status] ?? ""}` }, result.status === "--" ? "" : result.status)),
    el("td", {}, el("code", {}, result.model)),
    FREQUENCIES[result.words.frequency] ?? result.words.frequency,
    race(result),
    result.words.reasons.join("; "),
  ]);
  const races = racesOf(answer.results);
  return [...remarks(answer), table(["", "model", "condition holds", "races", ""], rows), ...raceBoxes(races),
    ...nextSteps(answer.results, races.length > 0, go), ...evidence(answer.results)];
}

/** Compares integers of any length by value, and addresses by name. */
function inOrder(a, b) {
  const isNumber = (text) => /^-?\d+$/.test(text);
  if (isNumber(a) && isNumber(b)) return BigInt(a) < BigInt(b) ? -1 : BigInt(a) > BigInt(b) ? 1 : 0;
  return a < b ? -1 : a > b ? 1 : 0;
}

export function outcomes(answer) {
  if (answer.error) return [problem(answer.error)];
  const models = answer.results.map((result) => result.model);
  const rows = new Map();
  answer.results.forEach((result, i) => {
    for (const [n, outcome] of (result.outcome_texts ?? []).entries()) {
      const key = JSON.stringify(outcome);
      if (!rows.has(key)) rows.set(key, { outcome, allowed: models.map(() => false), isAsked: result.outcomes_holding?.[n] === true });
      rows.get(key).allowed[i] = true;
    }
  });
  const observed = Object.keys([...rows.values()][0]?.outcome ?? {});
  const sorted = [...rows.values()].sort((a, b) => observed.map((name) => inOrder(a.outcome[name], b.outcome[name])).find((order) => order !== 0) ?? 0);
  const isWhole = (result) => !result.unknown && !result.error;
  const asked = answer.results.find((result) => result.condition)?.condition;
  return [
    ...remarks(answer),
    ...(asked && sorted.length ? [el("p", { id: "asked" }, sorted.some((row) => row.isAsked) ? "The condition holds in the marked outcomes: " : "The condition holds in none of these outcomes: ", el("code", {}, asked.text))] : []),
    table([...observed, ...models], sorted.map((row) => [
      ...observed.map((name) => row.outcome[name]),
      ...row.allowed.map((allowed, i) => allowed ? el("span", { class: "good" }, "allowed")
        : el("span", { class: "soft" }, isWhole(answer.results[i]) ? "–" : "?")),
    ]), sorted.map((row) => (row.isAsked ? "asked" : undefined))),
    ...(sorted.length === 0 && answer.results.every(isWhole) ? [el("p", {}, "No execution has an outcome.")] : []),
    ...answer.results.filter((result) => !isWhole(result)).map((result) =>
      problem(`${result.model}: not all outcomes are known: ${result.error ?? result.unknown.detail}`)),
  ];
}
