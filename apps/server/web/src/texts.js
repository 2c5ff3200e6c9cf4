// Shows texts from the server. Converts places in the texts into links to the editor, and keeps the columns of errors.
import { el } from "./dom.js";

// Matches places such as "test.litmus:10:5", "mp.cu:7", "line 8".
const PLACE = /[^\s:'"()]+\.(?:litmus|cuh?|test):(\d+)(?::(\d+))?|\bline (\d+)/g;

/** Returns a link to a line (and column) of the editor. A click sends a "place" event to the code that owns the editor.
    */
export const place = (text, line, column) => el("a", {
  class: "place", href: `#line=${line}`, title: `Go to line ${line}`,
  onclick: (event) => {
    event.preventDefault();
    event.target.dispatchEvent(new CustomEvent("place", { bubbles: true, detail: { line, column } }));
  },
}, text);

/** Returns the text with a link for each place that it mentions. */
export function linked(text) {
  const parts = [];
  let at = 0;
  for (const match of text.matchAll(PLACE)) {
    parts.push(text.slice(at, match.index), place(match[0], Number(match[1] ?? match[3]), Number(match[2] ?? 1)));
    at = match.index + match[0].length;
  }
  parts.push(text.slice(at));
  return parts.filter((part) => part !== "");
}

// In "  #3  P0  W x = 1   line 7  x = 1;", the source line is dropped, because the editor shows it.
const EVENT = /^(\s*#\d+\s.*\bline \d+)\s\s.*$/;

const indentOf = (line) => line.length - line.trimStart().length;

/** Returns the lines of a text as elements. A long line continues below its first word. `classes(lines)` returns the
    lines' CSS classes. */
export function indented(text, classes = () => []) {
  const lines = text.replace(/\n+$/, "").split("\n").map((line) => EVENT.exec(line)?.[1] ?? line);
  const marks = classes(lines);
  return el("div", { class: "lines" }, ...lines.map((line, i) => {
    const box = el("div", { class: marks[i] }, ...linked(line.trimStart()));
    box.style.setProperty("--indent", `${indentOf(line)}ch`);
    return box;
  }));
}

// Matches the heading that a verdict's details have above the execution that answers the condition.
const ANSWER = /^\s*an execution in which it (holds|does not hold)/;

/** Returns CSS classes that mark lines in a verdict's details: the condition, and the execution that answers it. */
export function answerMarks(lines) {
  const classes = lines.map((line) => (/^\s*(~?exists|forall|exists\?)[\s(]/.test(line) ? "asked" : undefined));
  const head = lines.findIndex((line) => ANSWER.test(line));
  for (let i = head; i >= 0 && i < lines.length && (i === head || indentOf(lines[i]) > indentOf(lines[head])); ++i) classes[i] = "answer";
  return classes;
}

/** Returns the incidents that the simulator and the detectors report for a run. */
export const incidents = (answer) => (answer.incidents ?? []).map((text) => el("p", { class: "bad mark incident" }, ...linked(text)));

/** Returns the server's remarks about places that Ambit does not interpret literally. */
export const remarks = (answer) => (answer.remarks ?? []).map(({ line, column, message }) =>
  el("p", { class: "remark" }, place(`line ${line}`, line, column), `: ${message}`));

// Recognises a line of the test and the line below with the caret. These two lines must not wrap; the message of an
// error may wrap.
const hasColumns = (line) => line.startsWith("  ") && !line.startsWith("  hint: ");

/** Returns the lines of an error. Lines with a column keep their layout, and other long lines wrap. */
function errorLines(lines) {
  const parts = [];
  for (let at = 0; at < lines.length;) {
    const begin = at;
    while (at < lines.length && hasColumns(lines[at]) === hasColumns(lines[begin])) ++at;
    const columns = hasColumns(lines[begin]);
    parts.push(el(columns ? "pre" : "div", columns ? {} : { class: "said" }, ...linked(lines.slice(begin, at).join("\n"))));
  }
  return el("div", { class: "problem" }, ...parts);
}

/** Returns an element for an error, which may have several lines. */
export function problem(text, ...more) {
  const lines = text.trimEnd().split("\n");
  return el("div", { class: "error", role: "alert" }, ...(lines.length > 1 ? [errorLines(lines)] : linked(text)), ...more);
}
