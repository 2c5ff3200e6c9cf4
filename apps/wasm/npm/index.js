// Ambit as a module for Node.js and browsers. index.d.ts documents what this file exports.
import makeEngine from "./engine.js";

const SECONDS = 5; // as the default of `ambit serve --timeout`

/** Returns the problems in the text of an error: lines such as "mp.litmus:3:20: error: expected an expression", each
    with the hint that follows it. */
function problemsOf(text) {
  const problems = [];
  for (const line of text.split("\n")) {
    const error = /^(?:(\S[^:]*):(?:(\d+):(\d+):)? )?error: (.*)$/.exec(line);
    const hint = /^ +hint: (.*)$/.exec(line);
    if (error) {
      const [, file, row, column, message] = error;
      problems.push({ message, ...(file && { file }), ...(row && { line: Number(row), column: Number(column) }) });
    } else if (hint && problems.length > 0) {
      problems.at(-1).hint ??= hint[1];
    }
  }
  return problems.length > 0 ? problems : [{ message: text.trimEnd() }];
}

export class AmbitError extends Error {
  constructor(text, options) {
    super(text.trimEnd(), options);
    this.name = "AmbitError";
    this.problems = problemsOf(text);
    const { message, ...place } = this.problems[0];
    Object.assign(this, place);
  }
}

/** Starts a compiled engine, which has its own memory. Returns the engine's functions. */
function start(program) {
  let failure;
  const engine = {
    print() {},
    printErr() {},
    instantiateWasm(imports, done) {
      try {
        done(new WebAssembly.Instance(program, imports));
      } catch (error) {
        failure = error;
      }
      return {};
    },
  };
  makeEngine(engine); // the functions exist at once, because instantiateWasm is synchronous
  if (failure) throw failure;
  return engine;
}

class Ambit {
  #program;
  #engine;
  #seconds;

  constructor(program, seconds) {
    this.#program = program;
    this.#engine = start(program);
    this.#seconds = seconds;
  }

  request(request) {
    const seconds = request.seconds ?? this.#seconds;
    // The engine keeps a fifth of its time, at most two seconds, for writing the answer (server::Worker::answer).
    const answer = this.#answer(JSON.stringify({ ...request, seconds }), 1000 * (seconds + Math.min(seconds / 4, 2)));
    if (answer.error !== undefined) throw new AmbitError(answer.error);
    return answer;
  }

  check(text, options) {
    return this.request({ ...options, do: "check", text });
  }

  outcomes(text, options) {
    return this.request({ ...options, do: "outcomes", text });
  }

  explain(text, options) {
    return this.request({ ...options, do: "explain", text });
  }

  fix(text, options) {
    return this.request({ ...options, do: "fix", text });
  }

  graph(text, options) {
    return this.request({ ...options, do: "graph", text });
  }

  detect(text, options) {
    const finish = options?.finish ?? options?.choices === undefined;
    return this.request({ ...options, finish, do: "detect", text });
  }

  step(text, options) {
    return this.request({ ...options, do: "step", text });
  }

  models() {
    return this.request({ do: "models" });
  }

  #answer(request, milliseconds) {
    try {
      this.#engine ??= start(this.#program);
      const { _ambit_answer, _malloc, _free, lengthBytesUTF8, stringToUTF8, UTF8ToString } = this.#engine;
      const size = lengthBytesUTF8(request) + 1;
      const text = _malloc(size);
      stringToUTF8(request, text, size);
      const answer = UTF8ToString(_ambit_answer(text, milliseconds));
      _free(text);
      return JSON.parse(answer);
    } catch (error) {
      this.#engine = undefined; // after a failure, the engine's memory may be inconsistent
      const isMemory = error instanceof RangeError || /memory/i.test(String(error));
      const what = isMemory ? "stopped: the answer needs too much memory or too deep a recursion" : `the engine failed: ${error}`;
      throw new AmbitError(what, { cause: error });
    }
  }
}

/** Compiles the engine at an address. */
async function compileAt(url) {
  if (url.protocol === "file:") {
    const files = "node:fs/promises"; // a variable, so that bundlers for browsers do not look for this module
    const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ files);
    return WebAssembly.compile(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new AmbitError(`cannot load ${url}: status ${response.status}`);
  const isWasm = response.headers.get("Content-Type")?.startsWith("application/wasm");
  return isWasm ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

let shipped; // resolves to the compiled engine of this package

function compile(wasm) {
  if (wasm instanceof ArrayBuffer || ArrayBuffer.isView(wasm)) return WebAssembly.compile(wasm);
  if (wasm !== undefined) return compileAt(new URL(wasm, globalThis.location?.href));
  shipped ??= compileAt(new URL("./engine.wasm", import.meta.url)).catch((error) => {
    shipped = undefined; // the next load() tries again
    throw error;
  });
  return shipped;
}

export async function load({ wasm, seconds = SECONDS } = {}) {
  return new Ambit(await compile(wasm), seconds);
}
