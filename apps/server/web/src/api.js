// Requests to the server. Every answer is an object. If there is no answer, "error" has the reason.
const pending = new Map();

/** Returns a message for an HTTP status. The status may come from a proxy and not from `ambit serve`. */
function refusal(status) {
  if (status === 413) return "The test is longer than the server accepts.";
  if (status === 403) return "The server refuses requests to this address. Open the page under the address that `ambit serve` prints.";
  if (status >= 500) return `The server failed on this request (status ${status}). Try again.`;
  return `The server's answer cannot be read (status ${status}).`;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Sends a request. A later request of the same `kind` cancels this request; the promise of a cancelled request never
    resolves. */
export async function ask(kind, request) {
  stop(kind);
  const control = new AbortController();
  pending.set(kind, control);
  try {
    const response = await fetch("api", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(request),
      signal: control.signal,
    });
    const answer = parsed(await response.text());
    return answer && (response.ok || answer.error) ? answer : { error: refusal(response.status) };
  } catch (error) {
    if (error.name === "AbortError") return new Promise(() => {});
    return { error: "The server does not answer. Is `ambit serve` still running?" };
  }
}

/** Cancels the request of this kind: closes its connection, so the server stops. The promise of a cancelled request
    never resolves. */
export const stop = (kind) => pending.get(kind)?.abort();
