// While the page waits for an answer, the panel is busy. After a moment, the page shows a message and a button to stop.
import { el } from "./dom.js";

const PATIENCE = 800; // the message appears after this number of milliseconds

/** `box`: the element for the message; `stop()`: ends the wait. */
export function makeWaiting({ box, panel, stop }) {
  let timer = null;
  let since = 0;

  function say() {
    const seconds = Math.floor((performance.now() - since) / 1000);
    const text = panel.childElementCount ? "The answer below is an earlier answer. The new answer is on its way" : "The answer is on its way";
    const count = el("span", { "aria-hidden": "true" }, seconds ? ` (${seconds} s)` : "");
    if (box.hidden) box.replaceChildren(el("span", {}, text), count, el("button", { id: "stop", onclick: stop }, "Stop"));
    else box.children[1].replaceWith(count);
    box.hidden = false;
    panel.classList.add("old");
  }

  return {
    begin() {
      panel.setAttribute("aria-busy", "true");
      if (timer !== null) return;
      since = performance.now();
      const tick = () => { say(); timer = setTimeout(tick, 1000); };
      timer = setTimeout(tick, PATIENCE);
    },
    end() {
      clearTimeout(timer);
      timer = null;
      box.hidden = true;
      panel.classList.remove("old");
      panel.setAttribute("aria-busy", "false");
    },
  };
}
