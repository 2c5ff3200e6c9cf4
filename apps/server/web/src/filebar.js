// The name of the text, and the choice among several tests in it. The extension of the name selects the language; for a
// name without an extension, the server derives the language from the text.
import { el } from "./dom.js";

/** `name`, `which`: a field and a choice; `kind`: the element for the language; `changed()`: called when the name or
    the choice changes. */
export function makeFileBar({ name, kind, which, changed }) {
  let tests = [];
  name.placeholder = "test.litmus";
  name.addEventListener("input", () => changed());
  which.addEventListener("change", () => changed());

  const number = () => (tests.length > 1 ? which.selectedIndex : 0);
  const given = () => name.value.trim() || undefined;

  return {
    get given() { return name.value; },
    set given(text) { name.value = text; },
    get name() { return given(); },
    /** Returns the fields of requests about the test, except its text. */
    get subject() { return { name: given(), program: Math.max(0, number()) }; },
    /** Receives the answer to "edit". Returns true if the text no longer has the test of the shown answer. */
    told(answer) {
      if (answer.error) return false;
      name.placeholder = answer.name;
      kind.textContent = answer.language;
      if (tests.join("\n") === answer.tests.join("\n")) return false;
      const before = number();
      tests = answer.tests;
      which.replaceChildren(...tests.map((one) => el("option", {}, one)));
      which.selectedIndex = Math.min(before, tests.length - 1);
      which.closest("label").hidden = tests.length < 2;
      return before >= tests.length && before > 0;
    },
  };
}
