// Verdicts and outcomes as tables.
import { el, table } from "./dom.js";
import { indented, problem, remarks } from "./texts.js";

const CLASSES = { OK: "good", FAIL: "bad", UNKNOWN: "unknown", ERROR: "bad", "--": "soft" };

/** Returns a model's answer about races, and other incidents: failed assertions, divergent barriers. */
function race({ race, races, incidents, words }) {
  if (words.race === "-" || words.race === "") return "–"; // the model does not define races
  const text = words.race.replace(/^-, /, "").replace(/^norace/, "no race").replace(/^race \?/, "races not known");
  const isBad = race || (races ?? []).length > 0 || (incidents ?? []).some((one) => one.possible);
  const isGood = race === false && !isBad && (incidents ?? []).length === 0;
  return el("span", { class: isBad ? "bad" : isGood ? "good" : "unknown" }, text);
}

const FREQUENCIES = { "?": "not known", "-": "–", empty: "no execution" };

export function verdicts(answer) {
  if (answer.error) return [problem(answer.error)];
  const rows = answer.results.map((result) => [
    el("td", {}, el("span", { class: `mark ${CLASSES[result.status] ?? ""}` }, result.status === "--" ? "" : result.status)),
    el("td", {}, el("code", {}, result.model)),
    FREQUENCIES[result.words.frequency] ?? result.words.frequency,
    race(result),
    result.words.reasons.join("; "),
  ]);
  const parts = [...remarks(answer), table(["", "model", "condition's proposition", "races", ""], rows)];
  for (const result of answer.results) {
    const text = result.error ?? result.details;
    if (text) parts.push(el("details", { open: answer.results.length === 1 }, el("summary", {}, el("code", {}, result.model), " in detail"), indented(text)));
  }
  return parts;
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
    for (const outcome of result.outcome_texts ?? []) {
      const key = JSON.stringify(outcome);
      if (!rows.has(key)) rows.set(key, { outcome, allowed: models.map(() => false) });
      rows.get(key).allowed[i] = true;
    }
  });
  const names = Object.keys([...rows.values()][0]?.outcome ?? {});
  const sorted = [...rows.values()].sort((a, b) => names.map((name) => inOrder(a.outcome[name], b.outcome[name])).find((order) => order !== 0) ?? 0);
  const isWhole = (result) => !result.unknown && !result.error;
  return [
    ...remarks(answer),
    table([...names, ...models], sorted.map((row) => [
      ...names.map((name) => row.outcome[name]),
      ...row.allowed.map((allowed, i) => allowed ? el("span", { class: "good" }, "allowed")
        : el("span", { class: "soft" }, isWhole(answer.results[i]) ? "–" : "?")),
    ])),
    ...(sorted.length === 0 && answer.results.every(isWhole) ? [el("p", {}, "No execution has an outcome.")] : []),
    ...answer.results.filter((result) => !isWhole(result)).map((result) =>
      problem(`${result.model}: not all outcomes are known: ${result.error ?? result.unknown.detail}`)),
  ];
}
