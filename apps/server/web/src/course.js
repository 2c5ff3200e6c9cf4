// The course beside the editor: its lessons, whose tests and exercises open in the editor.
import { el } from "./dom.js";

/** The number of a lesson (0: their list) and of an exercise (0: none) in "#lesson=3.2" or "#course"; null for other links. */
export function lessonOf(hash) {
  if (hash === "#course") return { lesson: 0, exercise: 0 };
  const match = /^#lesson=(\d+)(?:\.(\d+))?$/.exec(hash);
  return match ? { lesson: Number(match[1]), exercise: Number(match[2] ?? 0) } : null;
}

/** `lessons`: of course.json; `open(text)`: puts a test into the editor. */
export function makeCourse({ lessons, open }) {
  let current = null;

  const contents = () => [
    el("h2", {}, "A course in scoped synchronization"),
    el("p", {}, "Ten lessons of a page each. An exercise is a test that fails until it is solved: see the tab Verdicts."),
    el("ol", { class: "lessons" }, ...lessons.map((lesson) => el("li", {}, el("a", { href: `#lesson=${lesson.number}` }, lesson.title)))),
  ];

  function bar(lesson) {
    const link = (number, text) => lessons.some((one) => one.number === number) ? el("a", { href: `#lesson=${number}` }, text) : null;
    return el("div", { class: "choices lesson-bar" }, el("a", { href: "#course" }, "All lessons"), link(lesson.number - 1, "← Before"), link(lesson.number + 1, "Next →"),
      ...lesson.exercises.map((exercise, i) => el("a", { href: `#lesson=${lesson.number}.${i + 1}` }, `Exercise ${i + 1}: ${exercise.name.slice(3)}`)));
  }

  function page(lesson) {
    const text = el("article", { class: "lesson" });
    text.innerHTML = lesson.html; // made of docs/course when Ambit was built, of nothing that a user wrote
    for (const code of text.querySelectorAll("pre > code")) {
      if (!/^(CUDA|PTX) \S+\n/.test(code.textContent)) continue;
      const box = el("div", { class: "test" });
      code.parentElement.replaceWith(box);
      box.append(code.parentElement, el("button", { class: "open", onclick: () => open(code.textContent) }, "Open in the editor"));
    }
    return [bar(lesson), text];
  }

  return {
    fill: () => (current ? page(current) : contents()),
    /** Goes to a lesson, or to the table of contents: the `text` of the exercise, if one is named, or the `problem` that there is none. */
    go({ lesson, exercise }) {
      current = lessons.find((one) => one.number === lesson) ?? null;
      if (!current) return lesson === 0 ? {} : { problem: `There is no lesson ${lesson}: the course has ${lessons.length}.` };
      if (exercise === 0) return {};
      const { exercises } = current;
      return exercises[exercise - 1] ?? { problem: `Lesson ${lesson} has no exercise ${exercise}: it has ${exercises.length}.` };
    },
  };
}
