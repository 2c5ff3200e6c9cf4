// The editor highlights the syntax and locks lines of an exercise. The server provides errors, hovers and
// completion.
import { autocompletion, closeBrackets } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory, undoDepth } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { linter, lintGutter } from "@codemirror/lint";
import { EditorState, StateEffect, StateField, Transaction } from "@codemirror/state";
import { Decoration, EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { ask } from "./api.js";
import { el } from "./dom.js";
import { litmus } from "./language.js";
import { byPage, findLocked, locks, openExercise, setExercise } from "./locks.js";

const markLines = StateEffect.define();
const markedLines = StateField.define({
  create: () => Decoration.none,
  update(marks, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(markLines)) continue;
      const { doc } = transaction.state;
      const lines = [...new Set(effect.value.lines)].filter((line) => line > 0 && line <= doc.lines).sort((a, b) => a - b);
      return Decoration.set(lines.map((line) => Decoration.line({ class: effect.value.kind }).range(doc.line(line).from)));
    }
    return transaction.docChanged ? Decoration.none : marks;
  },
  provide: (field) => EditorView.decorations.from(field),
});

function offset(doc, line, character) {
  const at = doc.line(Math.min(line + 1, doc.lines));
  return Math.min(at.from + character, at.to);
}

function place(state, position) {
  const line = state.doc.lineAt(position);
  return { line: line.number - 1, character: position - line.from };
}

async function lint(view, name, told) {
  const { doc } = view.state;
  if (doc.length === 0) return []; // an empty text has no errors
  const answer = await ask("edit", { do: "edit", text: doc.toString(), name: name() });
  told(answer);
  if (answer.error) return [{ from: 0, to: doc.line(1).to, severity: "warning", message: `The text was not checked: ${answer.error}` }];
  return answer.errors.map((error) => {
    const from = offset(doc, error.line, error.character);
    const to = offset(doc, error.endLine, error.endCharacter);
    return { from, to: Math.max(to, from), severity: "error", message: error.message };
  });
}

/** Converts a hover's Markdown into elements. Supports paragraphs, list items, `code`, **strong**. */
function markdown(text) {
  const box = el("div", { class: "box" });
  for (const line of text.split("\n").filter((line) => line)) {
    const parts = line.replace(/^- /, "• ").split(/(`[^`]*`|\*\*[^*]*\*\*)/);
    box.append(el("div", {}, ...parts.map((part) =>
      part.startsWith("`") ? el("code", {}, part.slice(1, -1)) : part.startsWith("**") ? el("strong", {}, part.slice(2, -2)) : part)));
  }
  return box;
}

async function hover(view, position, name) {
  const answer = await ask("hover", { do: "hover", text: view.state.doc.toString(), name: name(), ...place(view.state, position) });
  if (!answer.text) return null;
  return { pos: position, create: () => ({ dom: markdown(answer.text) }) };
}

async function complete(context, name) {
  const word = context.matchBefore(/[\w.-]+/);
  if (!word && !context.explicit) return null;
  const from = word ? word.from : context.pos;
  const answer = await ask("complete", { do: "complete", text: context.state.doc.toString(), name: name(), ...place(context.state, from) });
  return { from, options: (answer.completions ?? []).map((one) => ({ label: one.label, apply: one.insert, info: one.detail })), validFor: /^[\w.-]*$/ };
}

// All colours are variables of style.css. The values of these variables depend on the theme (light or dark).
const theme = EditorView.theme({
  "&": { fontSize: "13.5px", backgroundColor: "var(--paper)", color: "var(--ink)" },
  ".cm-content, .cm-gutters": { fontFamily: "var(--mono)" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--selection)" },
  ".cm-gutters": { backgroundColor: "var(--shade)", color: "var(--soft)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine": { backgroundColor: "var(--active)" },
  ".cm-activeLineGutter": { backgroundColor: "var(--active)", color: "var(--ink)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--bracket)" },
  ".cm-tooltip": { backgroundColor: "var(--shade)", color: "var(--ink)", border: "1px solid var(--line)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-diagnostic": { fontFamily: "var(--mono)", fontSize: "12.5px" },
});

/** Tab indents. After Escape, Tab moves the focus to the next part of the page. This lasts until the editor loses the
    focus. */
const tabKey = [
  keymap.of([{ key: "Escape", run: (view) => { view.setTabFocusMode(true); return false; } }]),
  EditorView.domEventHandlers({ blur: (_, view) => { view.setTabFocusMode(false); } }),
];

/** `name()`: the file name whose extension selects the language; `changed()`, `run()`: called when the text changes, on
    Ctrl+Enter; `told(answer)`: receives the server's answers about the text during editing; `refused()`: called on an
    attempt to change a locked line. */
export function makeEditor(parent, { name, changed, run, told, refused }) {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: "",
      extensions: [
        lineNumbers(), EditorView.lineWrapping, history(), drawSelection(), highlightActiveLine(), highlightActiveLineGutter(), bracketMatching(), closeBrackets(), lintGutter(), markedLines,
        locks(refused),
        autocompletion({ override: [(context) => complete(context, name)] }),
        linter((v) => lint(v, name, told), { delay: 250 }),
        hoverTooltip((v, position) => hover(v, position, name), { hoverTime: 300 }),
        tabKey,
        keymap.of([{ key: "Mod-Enter", run: () => (run(), true) }, indentWithTab, ...defaultKeymap, ...historyKeymap]),
        litmus,
        EditorView.contentAttributes.of({ "aria-label": "Litmus test", "aria-describedby": "keys" }),
        theme,
        EditorView.updateListener.of((update) => update.docChanged && changed()),
      ],
    }),
  });
  return {
    get text() { return view.state.doc.toString(); },
    /** The open exercise, or null. */
    get exercise() { return openExercise(view.state); },
    /** Replaces the text. In an exercise, locks the lines that the learner must not change. If the new text lacks one
        of these lines, changes nothing and returns false. */
    open(text, exercise = null) {
      const ranges = exercise ? findLocked(exercise, text) : [];
      if (!ranges) return false;
      const isFirst = view.state.doc.length === 0 && undoDepth(view.state) === 0; // nothing to undo
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, effects: setExercise.of({ exercise, ranges }),
        annotations: [byPage.of(true), isolateHistory.of("full"), Transaction.addToHistory.of(!isFirst)] });
      return true;
    },
    /** Replaces the text as an edit by the user does: Undo works, and locked lines do not change. */
    apply(text) {
      const now = view.state.doc.toString();
      let from = 0;
      while (from < Math.min(now.length, text.length) && now[from] === text[from]) ++from;
      let tail = 0;
      while (tail < Math.min(now.length, text.length) - from && now[now.length - 1 - tail] === text[text.length - 1 - tail]) ++tail;
      view.dispatch({ changes: { from, to: now.length - tail, insert: text.slice(from, text.length - tail) } });
      view.focus();
    },
    /** Moves the cursor. */
    go(line, column = 1) {
      const { doc } = view.state;
      if (line < 1 || line > doc.lines) return;
      const at = offset(doc, line - 1, column - 1);
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
      view.focus();
    },
    /** Highlights only these lines. `kind`: a class. */
    mark(lines, kind = "cm-stepline") { view.dispatch({ effects: markLines.of({ lines, kind }) }); },
  };
}
