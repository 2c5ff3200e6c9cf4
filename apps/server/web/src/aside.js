// If an opened link replaces the editor's text, the browser keeps the text until the user restores or declines it. The
// page offers to restore the latest text that a link replaced.
import { el } from "./dom.js";
import { keep, kept } from "./store.js";
import { problem } from "./texts.js";

const KEY = "aside";
const MOST = 8;

/** `box`: the element for the offer; `current()`: the editor's text; `bring(state)`: puts the text of a state into the
    editor. */
export function makeAside({ box, current, bring }) {
  let all = kept(KEY) ?? []; // states of the page; the last state is the latest
  function note(list) {
    all = list.slice(-MOST);
    keep(KEY, all);
  }
  const others = (text) => (kept(KEY) ?? all).filter((one) => one.text !== text); // other tabs of the browser also write to the store

  function drop(state) {
    note(others(state.text));
    offer();
  }

  function offer() {
    const state = others(current()).at(-1);
    box.replaceChildren(...(state ? [problem("Before this link was opened, the editor contained another text. ",
      el("button", { id: "before", onclick: () => { bring(state); drop(state); } }, "Bring it back"),
      el("button", { class: "close", onclick: () => drop(state) }, "Close"))] : []));
  }

  return {
    offer,
    add(state) {
      note([...others(state.text), state]);
      offer();
    },
  };
}
