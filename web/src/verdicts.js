// Verdicts and outcomes as tables.
import { el, problem, table } from "./dom.js";

const CLASSES = { OK: "good", FAIL: "bad", UNKNOWN: "unknown", ERROR: "bad", "--": "soft" };

function race(result) {
  if (result.race === null || result.race === undefined) return "–";
  if (!result.race) return el("span", { class: "good" }, "no race");
  const places = [...new Set((result.races ?? []).map((r) => r.location).filter(Boolean))];
  return el("span", { class: "bad" }, places.length ? `race on ${places.join(", ")}` : "race");
}

export function verdicts(answer) {
  if (answer.error) return [problem(answer.error)];
  const rows = answer.results.map((result) => [
    el("td", {}, el("span", { class: `mark ${CLASSES[result.status] ?? ""}` }, result.status === "--" ? "" : result.status)),
    el("td", {}, el("code", {}, result.model)),
    result.frequency ?? (result.unknown ? "not known" : "–"),
    race(result),
    [...(result.reasons ?? []), ...(result.unknown ? [`${result.unknown.detail}; ${result.unknown.help}`] : [])].join("; "),
  ]);
  const parts = [table(["", "model", "condition's proposition", "races", ""], rows)];
  for (const result of answer.results) {
    const text = result.error ?? result.details;
    if (text) parts.push(el("details", { open: answer.results.length === 1 }, el("summary", {}, el("code", {}, result.model), " in detail"), el("pre", {}, text)));
  }
  return parts;
}

export function outcomes(answer) {
  if (answer.error) return [problem(answer.error)];
  const models = answer.results.map((result) => result.model);
  const rows = new Map();
  answer.results.forEach((result, i) => {
    for (const outcome of result.outcomes ?? []) {
      const key = JSON.stringify(outcome);
      if (!rows.has(key)) rows.set(key, { outcome, allowed: models.map(() => false) });
      rows.get(key).allowed[i] = true;
    }
  });
  const names = Object.keys([...rows.values()][0]?.outcome ?? {});
  const sorted = [...rows.values()].sort((a, b) => {
    for (const name of names) if (a.outcome[name] !== b.outcome[name]) return a.outcome[name] - b.outcome[name];
    return 0;
  });
  const isWhole = (result) => !result.unknown && !result.error;
  return [
    table([...names, ...models], sorted.map((row) => [
      ...names.map((name) => String(row.outcome[name])),
      ...row.allowed.map((allowed, i) => allowed ? el("span", { class: "good" }, "allowed")
        : el("span", { class: "soft" }, isWhole(answer.results[i]) ? "–" : "?")),
    ])),
    ...answer.results.filter((result) => !isWhole(result)).map((result) =>
      problem(`${result.model}: not all outcomes are known: ${result.error ?? result.unknown.detail}`)),
  ];
}
