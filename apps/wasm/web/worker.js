// A web worker that answers requests of the static page. The page sends the compiled engine once, then one request at a
// time (apps/server/web/src/engine.js).
importScripts("engine.js");

let engine; // a promise of the engine's functions

function begin(program) {
  engine = makeEngine({
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(program, imports).then(done);
      return {};
    },
  });
}

/** Returns the engine's answer to a request, as JSON. */
function computed({ _ambit_answer, _malloc, _free, lengthBytesUTF8, stringToUTF8, UTF8ToString }, request, limit) {
  const size = lengthBytesUTF8(request) + 1;
  const text = _malloc(size);
  stringToUTF8(request, text, size);
  const answer = UTF8ToString(_ambit_answer(text, limit));
  _free(text);
  return JSON.parse(answer);
}

let graphviz;

/** Draws the pictures in an answer, like `ambit serve`: replaces DOT texts by SVG. */
async function draw(answer) {
  for (const picture of answer.pictures ?? []) {
    if (!picture.dot) continue;
    if (!graphviz) {
      importScripts("graphviz.js");
      graphviz = self.makeGraphviz();
    }
    picture.svg = (await graphviz)(picture.dot);
    delete picture.dot;
  }
  return answer;
}

onmessage = async ({ data: { program, request, limit } }) => {
  if (program) return begin(program);
  try {
    postMessage({ answer: await draw(computed(await engine, request, limit)) });
  } catch (error) {
    // After a failure, the engine's memory may be inconsistent.
    const isMemory = error instanceof RangeError || /memory/i.test(String(error));
    postMessage({ isBroken: true, answer: { error: isMemory ? "stopped: the answer needs too much memory or too deep a recursion" : `the program failed: ${error}` } });
  }
};
