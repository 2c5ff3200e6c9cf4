// Requests to `ambit serve`.

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

/** Sends a request and returns the answer. If the signal aborts the request, closes the connection, so that the server
    stops working on it, and throws an AbortError. */
export async function answerOfServer(request, signal) {
  try {
    const response = await fetch("api", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(request),
      signal,
    });
    const answer = parsed(await response.text());
    return answer && (response.ok || answer.error) ? answer : { error: refusal(response.status) };
  } catch (error) {
    if (error.name === "AbortError") throw error;
    return { error: "The server does not answer. Is `ambit serve` still running?" };
  }
}
