// A static file server for the folder of the static playground.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";

const TYPES = { ".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".json": "application/json", ".wasm": "application/wasm" };

/** Edits the page's HTML so that the engine has `seconds` for an answer. */
const withLimit = (html, seconds) => html.replace(/(name="ambit-engine" content=)"[^"]*"/, `$1"${seconds}"`);

/** Serves a folder on a free port. The engine has 60 seconds for an answer. The returned object is like that of the
    function for `ambit serve`, but has no process. */
export async function serveFolder(folder) {
  let seconds = 60;
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    const file = path === "/" ? "/index.html" : path;
    try {
      const bytes = readFileSync(join(folder, file));
      response.writeHead(200, { "Content-Type": TYPES[extname(file)], "Cache-Control": "no-cache" });
      response.end(file === "/index.html" ? withLimit(bytes.toString(), seconds) : bytes);
    } catch {
      response.writeHead(404);
      response.end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    limit: async (page, value) => { seconds = value; },
    stop: () => new Promise((resolve) => { server.close(resolve); server.closeAllConnections(); }),
  };
}
