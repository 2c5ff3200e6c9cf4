// Sends the page's requests. Every answer is an object. If there is no answer, the object's "error" gives the reason.
import { makeEngine } from "./engine.js";
import { answerOfServer } from "./server.js";

// Only a static page has this element. The element's content is the time limit for an answer, in seconds.
const engine = document.querySelector('meta[name="ambit-engine"]');
const answerOf = engine ? makeEngine(Number(engine.content)) : answerOfServer;
const pending = new Map();

/** Sends a request. A later request of the same `kind` cancels this request; the promise of a cancelled request never
    resolves. */
export async function ask(kind, request) {
  stop(kind);
  const control = new AbortController();
  pending.set(kind, control);
  try {
    return await answerOf(request, control.signal);
  } catch (error) {
    if (error.name === "AbortError") return new Promise(() => {});
    throw error;
  } finally {
    if (pending.get(kind) === control) pending.delete(kind);
  }
}

/** Cancels the request of this kind. The computation of its answer stops. The promise of a cancelled request never resolves. */
export const stop = (kind) => pending.get(kind)?.abort();
