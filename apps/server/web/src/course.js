// Shows the course next to the editor. The tests and exercises of the lessons open in the editor.
import { Marked } from "marked";
import { el } from "./dom.js";

/** Returns the lesson number (0 for the list) and the exercise number (0 for none) in "#lesson=3.2" or "#course"; null
    for other links. */
export function lessonOf(hash) {
  if (hash === "#course") return { lesson: 0, exercise: 0 };
  const match = /^#lesson=(\d+)(?:\.(\d+))?$/.exec(hash);
  return match ? { lesson: Number(match[1]), exercise: Number(match[2] ?? 0) } : null;
}

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** Converts Markdown into HTML, and escapes HTML in the text. Makes links to lessons and exercises open on this page.
    */
function rendered(markdown, lesson) {
  const renderer = {
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      const other = /^(\d+)-[^/]*\.md$/.exec(href);
      if (other) return `<a href="#lesson=${Number(other[1])}">${text}</a>`;
      const at = lesson?.exercises.findIndex((one) => href === `exercises/${one.file}`) ?? -1;
      if (at >= 0) return `<a href="#lesson=${lesson.number}.${at + 1}">${text}</a>`;
      return /^https?:/.test(href) ? `<a href="${escaped(href)}" target="_blank" rel="noopener">${text}</a>` : text;
    },
    codespan({ text }) {
      const at = lesson?.exercises.findIndex((one) => text === `exercises/${one.file}`) ?? -1;
      return at < 0 ? false : `<a href="#lesson=${lesson.number}.${at + 1}">${escaped(lesson.exercises[at].title)}</a>`;
    },
    html: ({ text }) => escaped(text),
    image: ({ text }) => escaped(text),
  };
  return new Marked({ renderer }).parse(markdown);
}

/** Converts Markdown into elements. The Markdown is trusted, because it comes from the server's operator. */
export function markdown(text, lesson) {
  const box = el("div");
  box.innerHTML = rendered(text, lesson);
  return box;
}

const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

/** `course`: course.json; `open(text)`: puts a test into the editor; `isSolved(exercise)`. */
export function makeCourse({ course, open, isSolved }) {
  const { lessons, title } = course;
  let current = null;

  const tick = (exercise) => (isSolved(exercise) ? el("span", { class: "good tick", role: "img", "aria-label": "solved" }, " ✓") : null);

  function progress(lesson) {
    const solved = lesson.exercises.filter(isSolved).length;
    if (lesson.exercises.length === 0) return null;
    const isWhole = solved === lesson.exercises.length;
    return el("span", { class: isWhole ? "good small" : "soft small" }, ` ${isWhole ? "✓ " : ""}${solved} of ${lesson.exercises.length} solved`);
  }

  const contents = () => [
    el("h2", {}, title),
    el("p", {}, `${count(lessons.length, "lesson")}, ${count(lessons.flatMap((one) => one.exercises).length, "exercise")}. ` +
      "An exercise is a test that fails until it is solved: the tab Verdicts shows your progress."),
    el("ol", { class: "lessons" }, ...lessons.map((lesson) =>
      el("li", { value: lesson.number }, el("a", { href: `#lesson=${lesson.number}` }, lesson.title), progress(lesson)))),
  ];

  function bar(lesson) {
    const at = lessons.indexOf(lesson);
    const link = (other, text) => other && el("a", { href: `#lesson=${other.number}` }, text);
    return el("div", { class: "choices lesson-bar" }, el("a", { href: "#course" }, "All lessons"), link(lessons[at - 1], "← Previous"), link(lessons[at + 1], "Next →"),
      ...lesson.exercises.map((exercise, i) => el("span", {},
        el("a", { href: `#lesson=${lesson.number}.${i + 1}` }, `Exercise ${i + 1}: ${exercise.title}`), tick(exercise))));
  }

  function page(lesson) {
    const text = el("article", { class: "lesson" }, markdown(lesson.text, lesson));
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
    /** Goes to a lesson or to the table of contents. Returns the named `exercise`, or a `problem` if the lesson or the
        exercise does not exist. */
    go({ lesson, exercise }) {
      current = lessons.find((one) => one.number === lesson) ?? null;
      if (!current) return lesson === 0 ? {} : { problem: `There is no lesson ${lesson}: the course has ${lessons.length}.` };
      if (exercise === 0) return {};
      const found = current.exercises[exercise - 1];
      return found ? { exercise: found } : { problem: `Lesson ${lesson} has no exercise ${exercise}: it has ${current.exercises.length}.` };
    },
  };
}
