// The field for the name of the text, and the choice among several tests in the text. The name's extension selects the
// language. If the name has no extension, the server derives the language from the text.
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
    /** Returns the fields that name the test in a request, except the text. */
    get subject() { return { name: given(), program: Math.max(0, number()) }; },
    /** Receives the answer to an "edit" request. Returns true if the text no longer contains the test that the shown
        answer is about. */
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
