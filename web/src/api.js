// Requests to the server. Every answer is an object; "error" says why there is no other.
let pending = new Map();

/** Asks once; a later request of the same `kind` takes the place of an earlier one, which then never answers. */
export async function ask(kind, request) {
  pending.get(kind)?.abort();
  const control = new AbortController();
  pending.set(kind, control);
  try {
    const response = await fetch("api", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(request),
      signal: control.signal,
    });
    return await response.json();
  } catch (error) {
    if (error.name === "AbortError") return new Promise(() => {});
    return { error: "The server does not answer. Is `ambit serve` still running?" };
  }
}
