// Switches between the light and the dark theme. The page uses the system's theme until the user presses the button.
import { keep, kept } from "./store.js";

const system = matchMedia("(prefers-color-scheme: dark)");

export function makeTheme(button) {
  let chosen = kept("theme"); // "dark", "light", or null for the system's theme
  const current = () => chosen ?? (system.matches ? "dark" : "light");
  const other = () => (current() === "dark" ? "light" : "dark");
  function apply() {
    if (chosen) document.documentElement.dataset.theme = chosen;
    else delete document.documentElement.dataset.theme;
    button.textContent = other() === "dark" ? "Dark" : "Light";
    button.title = `Switch to ${other()} colours`;
  }
  button.addEventListener("click", () => {
    chosen = other();
    keep("theme", chosen);
    apply();
  });
  system.addEventListener("change", apply);
  apply();
}
