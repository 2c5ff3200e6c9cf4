// The schedule that the simulator and the detectors share: names of choices, up to where the run was stepped back to.
import { ask } from "./api.js";

/** `subject()`: the test, as requests name it. */
export function makeSchedule({ subject }) {
  let choices = [];
  let at = 0;
  let of = null;
  const options = { memory: "gpu", warps: "independent" };

  function request(what, more) {
    return ask("answer", { do: what, ...subject(), ...options, choices: choices.slice(0, at), ...more });
  }

  return {
    options,
    get at() { return at; },
    get length() { return choices.length; },
    get later() { return choices[at]; },
    /** Begins again where the test is another than the schedule was made for. */
    follow() {
      const now = JSON.stringify(subject());
      if (of !== now) this.restart();
      of = now;
    },
    restart() { choices = []; at = 0; },
    take(choice) {
      if (choices[at] !== choice) choices = [...choices.slice(0, at), choice];
      at += 1;
    },
    go(to) { at = Math.max(0, Math.min(to, choices.length)); },
    replace(all) { choices = all; at = all.length; },
    step: (more = {}) => request("step", more),
    detect: (more = {}) => request("detect", more),
  };
}

/** A number for a random schedule: the server makes the same one of it each time. */
export const newSeed = () => crypto.getRandomValues(new Uint32Array(1))[0];
