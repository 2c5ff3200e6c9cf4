// Stores the page's state in the browser's storage. If there is no storage, a reload loses the state.

function read(store, key) {
  try {
    return JSON.parse(store().getItem(key));
  } catch {
    return null;
  }
}

function write(store, key, value) {
  try {
    store().setItem(key, JSON.stringify(value));
  } catch {
    // the storage is full, or the browser forbids storage
  }
}

const own = () => sessionStorage; // storage of this browser tab
const shared = () => localStorage;

export const kept = (key) => read(shared, `ambit.${key}`);
export const keep = (key, value) => write(shared, `ambit.${key}`, value);

const SESSION = "ambit.session";
/** Returns the last state of this tab or, if this tab has no state, the last state of any tab. */
export const lastSession = () => read(own, SESSION) ?? read(shared, SESSION);
export function keepSession(state) {
  write(own, SESSION, state);
  write(shared, SESSION, state);
}
