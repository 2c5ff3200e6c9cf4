// The choice of models. The open list does not hide other parts of the page.
import { el } from "./dom.js";

/** `known`: the server's models, if available; `changed()`: called when the choice changes. */
export function makeModels({ button, list, known, changed }) {
  const chosen = new Set();

  function label() {
    button.textContent = chosen.size ? `Models: ${[...chosen].join(", ")}` : "Models";
  }
  function toggle(isOpen) {
    list.hidden = !isOpen;
    button.setAttribute("aria-expanded", String(isOpen));
  }
  function set(name, isOn) {
    if (isOn) chosen.add(name);
    else chosen.delete(name);
    label();
  }
  function draw() {
    label();
    list.replaceChildren(
      el("p", { class: "soft" }, "If no model is chosen, Ambit uses the models that the test's expectations name. Without expectations it uses ptx, cuda-cpp unless the code is PTX, and sc if the test has a condition. ",
        el("button", { onclick: () => { chosen.clear(); draw(); changed(); } }, "Choose none"), " ",
        el("button", { onclick: () => { toggle(false); button.focus(); } }, "Close")),
      el("div", { class: "models" }, ...(known ?? []).map((model) => el("label", {},
        el("input", { type: "checkbox", value: model.name, checked: chosen.has(model.name), onchange: (event) => { set(model.name, event.target.checked); changed(); } }),
        el("code", {}, model.name), el("small", {}, model.title)))));
  }

  button.addEventListener("click", () => toggle(list.hidden));
  list.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    toggle(false);
    button.focus();
  });
  draw();

  return {
    get chosen() { return [...chosen]; },
    /** Chooses exactly these models. Ignores and returns unknown names. */
    choose(names) {
      const isKnown = (name) => !known || known.some((model) => model.name === name);
      chosen.clear();
      names.filter(isKnown).forEach((name) => chosen.add(name));
      draw();
      return names.filter((name) => !isKnown(name));
    },
  };
}
