// Computes answers on a static page, without a server: web workers run Ambit as WebAssembly (apps/wasm).

/** If a worker has not answered this number of milliseconds after the time limit, it is stopped. */
const GRACE = 5000;

/** Compiles the engine while the browser loads it. If the web server sends .wasm files with the wrong type, compiles
    the engine after loading. */
async function compiled() {
  try {
    return await WebAssembly.compileStreaming(fetch("engine.wasm"));
  } catch {
    return WebAssembly.compile(await (await fetch("engine.wasm")).arrayBuffer());
  }
}

/** Returns the function that answers requests. `seconds`: the time limit for an answer. */
export function makeEngine(seconds) {
  const limit = seconds * 1000;
  const program = compiled();
  const idle = []; // workers without a request

  async function begun() {
    const worker = new Worker("worker.js");
    worker.postMessage({ program: await program });
    return worker;
  }

  /** Computes the answer in a worker. Each worker computes one answer at a time; several requests run in several
      workers. If the signal aborts the request, stops the worker and throws an AbortError. */
  return async function answerOfEngine(request, signal) {
    const aborted = () => new DOMException("stopped", "AbortError");
    let worker;
    try {
      worker = idle.pop() ?? await begun();
    } catch (error) {
      return { error: `This browser cannot load the program: ${error.message}` };
    }
    if (signal.aborted) {
      idle.push(worker);
      throw aborted();
    }
    return new Promise((resolve, reject) => {
      let timer;
      const end = (isReusable) => {
        clearTimeout(timer);
        worker.onmessage = worker.onerror = null;
        signal.onabort = null;
        if (isReusable) idle.push(worker);
        else worker.terminate();
      };
      signal.onabort = () => { end(false); reject(aborted()); };
      worker.onmessage = ({ data }) => { end(!data.isBroken); resolve(data.answer); };
      worker.onerror = (event) => { end(false); resolve({ error: `The program failed: ${event.message}` }); };
      timer = setTimeout(() => { end(false); resolve({ error: `stopped: no answer within ${seconds} seconds` }); }, limit + GRACE);
      worker.postMessage({ request: JSON.stringify(request), limit });
    });
  };
}
