// The lessons of docs/course for the page: their text as HTML, and their exercises in the order in which they are given.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Marked } from "marked";

/** The exercises that a lesson names, in its order. */
function exercises(folder, markdown) {
  const names = [...new Set([...markdown.matchAll(/exercises\/([\w.-]+)\.litmus/g)].map((match) => match[1]))];
  return names.map((name) => ({ name, text: readFileSync(join(folder, "exercises", `${name}.litmus`), "utf8") }));
}

/** Links to lessons and exercises lead to where the page has them; what else the documents link to is not in the page. */
function renderer(number, names) {
  return {
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      const lesson = /^(\d\d)-[\w-]+\.md$/.exec(href);
      return lesson ? `<a href="#lesson=${Number(lesson[1])}">${text}</a>` : text;
    },
    codespan({ text }) {
      const at = names.indexOf(/^exercises\/([\w.-]+)\.litmus$/.exec(text)?.[1]);
      return at < 0 ? false : `<a href="#lesson=${number}.${at + 1}">${names[at]}</a>`;
    },
  };
}

export function lessons(project) {
  const folder = join(project, "docs/course");
  return readdirSync(folder)
    .filter((file) => /^\d\d-.*\.md$/.test(file))
    .sort()
    .map((file) => {
      const markdown = readFileSync(join(folder, file), "utf8");
      const number = Number(file.slice(0, 2));
      const own = exercises(folder, markdown);
      const html = new Marked({ renderer: renderer(number, own.map((one) => one.name)) }).parse(markdown);
      return { number, title: /^# \d+\. (.*)$/m.exec(markdown)[1], exercises: own, html };
    });
}
