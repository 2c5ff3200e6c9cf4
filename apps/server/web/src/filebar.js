// The name of the text, whose ending tells its language; without one the server tells it from the text. Of a text with
// several tests, which is meant.
import { el } from "./dom.js";

/** `name`, `which`: a field and a choice; `kind`: where the language is said; `changed()`: the name or the choice is another. */
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
    /** What requests say of the test beside its text. */
    get subject() { return { name: given(), program: Math.max(0, number()) }; },
    /** What "edit" says of the text. True: what is shown is of a test that is not here any more. */
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
