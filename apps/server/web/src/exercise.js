// The bar above the editor while an exercise is open. It shows the exercise's state, a hint, an answer, and a button to
// start again.
import { markdown } from "./course.js";
import { el } from "./dom.js";
import { keep, kept } from "./store.js";

/** Returns whether the text contains all expectations of the exercise and meets them. `answer`: the server's answer to
    "check" without chosen models. */
const isRight = (exercise, answer) => !answer.error && answer.results.length >= exercise.expectations && answer.results.every((one) => one.status === "OK");

/** `title`: the course's title; `restart(exercise)`: puts the initial text into the editor; `changed()`: called when an
    exercise is solved. */
export function makeExercises({ box, title, restart, changed }) {
  const key = `course.${title}`;
  let all = kept(key) ?? {}; // maps the name of each exercise to {text, solved}
  /** Stores data about an exercise. Reads the store first, because other tabs of the browser also write to it. */
  function note(exercise, more) {
    all = kept(key) ?? all;
    all[exercise.name] = { ...all[exercise.name], ...more };
    keep(key, all);
  }
  let shown = null;

  /** Shows the solution, and marks the lines that the exercise does not contain. */
  function answer(exercise) {
    const own = new Set(exercise.text.split("\n"));
    return el("pre", {}, ...exercise.answer.trimEnd().split("\n").map((line) => own.has(line) ? `${line}\n` : el("mark", {}, `${line}\n`)));
  }

  function part(id, name, content) {
    const button = el("button", { id: `exercise-${id}`, "aria-expanded": "false", onclick: () => {
      const isOpen = button.getAttribute("aria-expanded") === "true";
      box.querySelectorAll("[aria-expanded]").forEach((one) => one.setAttribute("aria-expanded", "false"));
      button.setAttribute("aria-expanded", String(!isOpen));
      const more = box.querySelector(".more");
      more.replaceChildren(...(isOpen ? [] : [content()]));
      more.hidden = isOpen;
    } }, name);
    return button;
  }

  function draw(exercise) {
    const { hint, lesson, number } = exercise;
    box.replaceChildren(
      el("div", { class: "choices" },
        el("span", { class: "mark" }, `Exercise ${lesson}.${number}: ${exercise.title}`),
        el("span", { id: "exercise-state", role: "status" }),
        hint ? part("hint", "Hint", () => markdown(hint)) : null,
        exercise.answer ? part("answer", "Answer", () => answer(exercise)) : null,
        el("button", { id: "exercise-restart", onclick: () => restart(exercise) }, "Restart")),
      el("div", { class: "more", hidden: true }));
  }

  function say(isSolved) {
    const state = box.querySelector("#exercise-state");
    state.textContent = isSolved ? "✓ solved" : all[shown.name]?.solved ? "solved before" : "not solved yet";
    state.className = isSolved ? "good mark" : "soft";
  }

  return {
    isSolved: (exercise) => Boolean(all[exercise.name]?.solved),
    /** Returns the user's last text for the exercise, if any. */
    draft: (exercise) => all[exercise.name]?.text,
    /** Shows the open exercise, if any, and keeps the user's text for it. */
    follow(exercise, text) {
      box.hidden = !exercise;
      if (exercise !== shown) {
        shown = exercise;
        if (exercise) draw(exercise);
      }
      if (!exercise) return;
      note(exercise, { text });
      say(false);
    },
    /** Receives the server's answer to a "check" request about the open exercise. */
    judge(exercise, answer) {
      if (exercise !== shown || !exercise) return;
      const isSolved = isRight(exercise, answer);
      if (isSolved && !all[exercise.name]?.solved) {
        note(exercise, { solved: true });
        changed();
      }
      say(isSolved);
    },
  };
}
