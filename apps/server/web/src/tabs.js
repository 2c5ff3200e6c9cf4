// The tabs that show the answers. They follow the WAI-ARIA pattern "tabs": the key Tab moves to the selected tab, and
// the arrow keys move to the other tabs.
import { el } from "./dom.js";

/** `titles`: maps the key of each tab to the tab's title, in order; `choose(key)`: shows the tab with this key. */
export function makeTabs({ box, panel, titles, choose }) {
  const keys = Object.keys(titles);
  const button = (key) => document.getElementById(`tab-${key}`);
  const targets = {
    ArrowRight: (i) => (i + 1) % keys.length,
    ArrowLeft: (i) => (i + keys.length - 1) % keys.length,
    Home: () => 0,
    End: () => keys.length - 1,
  };

  box.replaceChildren(...keys.map((key) =>
    el("button", { role: "tab", id: `tab-${key}`, "aria-controls": panel.id, onclick: () => choose(key) }, titles[key])));
  box.addEventListener("keydown", (event) => {
    const i = keys.findIndex((key) => button(key) === event.target);
    if (i < 0 || !targets[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const next = keys[targets[event.key](i)];
    button(next).focus();
    choose(next);
  });

  return {
    select(key) {
      for (const one of keys) {
        button(one).setAttribute("aria-selected", String(one === key));
        button(one).tabIndex = one === key ? 0 : -1;
      }
      panel.setAttribute("aria-labelledby", `tab-${key}`);
    },
  };
}
