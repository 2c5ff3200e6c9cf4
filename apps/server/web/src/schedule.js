// The schedule that the simulator and the detectors use: the names of the choices up to the user's current step.
import { ask } from "./api.js";

/** `subject()`: the fields of a request that name the test. */
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
    /** Starts a new schedule if the test has changed. */
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

/** Returns a seed for a random schedule. For the same seed, the server always makes the same schedule. */
export const newSeed = () => crypto.getRandomValues(new Uint32Array(1))[0];
