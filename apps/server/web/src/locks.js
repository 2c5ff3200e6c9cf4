// The open exercise and its locked lines. The user cannot change these lines, but the page can. Undo restores the
// exercise and its locked lines.
import { invertedEffects } from "@codemirror/commands";
import { Annotation, EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView } from "@codemirror/view";

/** {exercise, ranges}: the open exercise (or null), and its locked ranges. A range includes the line break before its
    first line. */
export const setExercise = StateEffect.define();
export const byPage = Annotation.define();

const NONE = { exercise: null, ranges: [] };
const LOCKED = Decoration.line({ class: "cm-locked", attributes: { title: "This line judges the exercise. It is locked." } });

const field = StateField.define({
  create: () => NONE,
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(setExercise)) return effect.value ?? NONE;
    if (!transaction.docChanged || value.ranges.length === 0) return value;
    const { changes } = transaction;
    return { ...value, ranges: value.ranges.map((range) => ({ ...range, from: changes.mapPos(range.from, 1), to: changes.mapPos(range.to, -1) })) };
  },
  provide: (self) => EditorView.decorations.compute([self, "doc"], (state) => {
    const marks = [];
    for (const { from, to, isFirst, isLast } of state.field(self).ranges) {
      for (let at = isFirst ? from : from + 1; at <= Math.min(to, state.doc.length);) {
        const line = state.doc.lineAt(at);
        if (isLast ? line.from > to : line.from >= to) break;
        marks.push(LOCKED.range(line.from));
        at = line.to + 1;
      }
    }
    return Decoration.set(marks, true);
  }),
});

const touches = (range, a, b) =>
  (b > range.from || (range.isFirst && b === range.from)) && (a < range.to || (range.isLast && a === range.to));

/** Finds the locked lines of the exercise in `text`. Returns the lines' ranges, or null if a line is missing. */
export function findLocked(exercise, text) {
  const lines = exercise.text.split("\n");
  const ranges = [];
  let at = 0;
  for (const [i, [first, last]] of exercise.locked.entries()) {
    const block = lines.slice(first - 1, last).join("\n");
    const isWhole = (begin) => (begin === 0 || text[begin - 1] === "\n") && (begin + block.length === text.length || text[begin + block.length] === "\n");
    const isFinal = i === exercise.locked.length - 1;
    let begin = isFinal ? text.lastIndexOf(block) : text.indexOf(block, at);
    while (begin >= at && !isWhole(begin)) begin = isFinal ? (begin > 0 ? text.lastIndexOf(block, begin - 1) : -1) : text.indexOf(block, begin + 1);
    if (begin < at || begin < 0) return null;
    const end = begin + block.length;
    ranges.push({ from: Math.max(0, begin - 1), to: Math.min(end + 1, text.length), isFirst: begin === 0, isLast: end === text.length });
    at = end;
  }
  return ranges;
}

export const openExercise = (state) => state.field(field).exercise;

/** `refused()`: called when the user tries to change a locked line. */
export const locks = (refused) => [
  field,
  invertedEffects.of((transaction) =>
    transaction.effects.some((effect) => effect.is(setExercise)) ? [setExercise.of(transaction.startState.field(field))] : []),
  EditorState.changeFilter.of((transaction) => {
    if (transaction.annotation(byPage)) return true;
    const { ranges } = transaction.startState.field(field);
    let isFree = true;
    transaction.changes.iterChanges((a, b) => { if (ranges.some((range) => touches(range, a, b))) isFree = false; });
    if (!isFree) setTimeout(refused);
    return isFree;
  }),
];
