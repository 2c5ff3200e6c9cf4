// Draws the simulator's machine. From top to bottom, the picture shows threads, store buffers, caches and memory.

const UNIT = 178; // width of a thread
const NARROW = 420; // if the screen is narrower, each thread takes the whole width, so that no text is cut
const NARROWEST = 240; // a narrower screen scrolls
const GAP = 12;
const PAD = 10;
const LETTER = 7.0; // width of a letter of 11.5 px
const CELL = 24; // height
const MOST_IN_A_ROW = 4; // threads of a block in one row

function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const cut = (text, width) => {
  const most = Math.max(3, Math.floor(width / LETTER));
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
};

/** Returns a text element. Cuts the text to a width; a tooltip shows the whole text. */
function label(x, y, text, width, attributes = {}) {
  const element = svg("text", { x, y, ...attributes }, cut(text, width));
  if (element.textContent !== text) element.append(svg("title", {}, text));
  return element;
}

const cellText = (held) => `${held.location} = ${held.value}${held.dirty ? " *" : ""}`;

function cell(held, x, y, width) {
  const kind = ["cell", held.dirty ? "dirty" : "", held.changed ? "changed" : ""].filter(Boolean).join(" ");
  const parts = [svg("rect", { x, y, width, height: CELL, rx: 3 })];
  if (held.dirty) parts.push(svg("path", { class: "corner", d: `M${x + width - 10} ${y} h10 v10 z` }));
  parts.push(label(x + 7, y + 16, cellText(held), width - 12));
  return svg("g", { class: kind, "data-location": held.location }, ...parts);
}

/** Describes a titled box with rows of cells. Returns the box's height and a function that draws the box. */
function store(title, cells, width) {
  const inner = width - 2 * PAD;
  const longest = Math.max(8, ...cells.map((held) => cellText(held).length));
  const cellWidth = Math.min(inner, longest * LETTER + 16);
  const inRow = Math.max(1, Math.floor((inner + 6) / (cellWidth + 6)));
  const rows = Math.max(1, Math.ceil(cells.length / inRow));
  const height = 24 + rows * (CELL + 5) + 5;
  return {
    height,
    draw: (x, y, kind) => svg("g", { class: kind, "data-part": title },
      svg("rect", { x, y, width, height, rx: 4 }), label(x + PAD, y + 17, title, inner, { class: "title" }),
      ...(cells.length ? cells.map((held, i) => cell(held, x + PAD + (i % inRow) * (cellWidth + 6), y + 24 + Math.floor(i / inRow) * (CELL + 5), cellWidth))
        : [svg("text", { x: x + PAD, y: y + 40, class: "soft" }, "empty")])),
  };
}

/** Arranges items in as few rows as the width allows. Returns the number of items in each row; the rows have about the
    same length. */
function rowsOf(items, width, available) {
  const most = Math.max(1, Math.floor((available + GAP) / (width + GAP)));
  const inRow = Math.ceil(items.length / Math.ceil(items.length / most));
  const rows = [];
  for (let i = 0; i < items.length; i += inRow) rows.push(items.slice(i, i + inRow));
  return rows;
}

/** Returns a thread with its store buffer. */
function unit(thread, buffer, width) {
  const queue = buffer && store(`store buffer of ${thread.name}`, [...buffer].reverse(), width);
  const height = 66 + (queue ? 14 + queue.height : 0);
  const state = thread.state === "ended" ? "has ended" : thread.state === "ready" ? "can continue" : "waits";
  return {
    width, height,
    draw: (x, y) => svg("g", { class: `thread ${thread.state}`, "data-part": thread.name },
      svg("rect", { x, y, width: width, height: 66, rx: 4 }),
      label(x + PAD, y + 18, `${thread.name}`, 60, { class: "title" }),
      svg("text", { x: x + width - PAD, y: y + 18, "text-anchor": "end", class: "soft" }, state),
      label(x + PAD, y + 38, thread.comes ? `${thread.line}: ${thread.comes}` : "", width - 2 * PAD),
      label(x + PAD, y + 56, thread.source ?? "", width - 2 * PAD, { class: "soft" }),
      ...(queue ? [line(x + width / 2, y + 66, y + 80), queue.draw(x, y + 80, "buffer")] : [])),
  };
}

const line = (x, from, to) => svg("path", { class: "wire", d: `M${x} ${from} V${to}` });

/** Describes a block with its threads, its L1 and its shared memory. Keeps the width within `available` if possible. */
function block(title, units, stores, available) {
  const unitWidth = units[0].width;
  const rows = rowsOf(units, unitWidth, Math.min(available - 2 * PAD, MOST_IN_A_ROW * (unitWidth + GAP)));
  const inRow = rows[0].length;
  const width = inRow * unitWidth + (inRow - 1) * GAP + 2 * PAD;
  const parts = stores.map(([name, cells, kind]) => ({ kind, ...store(name, cells, width - 2 * PAD) }));
  const heights = rows.map((row) => Math.max(...row.map((one) => one.height)) + GAP);
  const height = 28 + heights.reduce((a, b) => a + b, 0) + parts.reduce((sum, part) => sum + part.height + PAD, 0);
  return {
    width, height,
    draw: (x, y) => {
      const group = svg("g", { class: "block" }, svg("rect", { x, y, width, height, rx: 6 }), label(x + PAD, y + 18, title, width - 2 * PAD, { class: "title" }));
      let down = y + 28;
      let ends = []; // where the wires of the last row begin
      rows.forEach((row, r) => {
        const left = (i) => x + PAD + i * (unitWidth + GAP);
        ends = row.map((one, i) => [left(i) + unitWidth / 2, down + one.height]);
        row.forEach((one, i) => group.append(one.draw(left(i), down)));
        down += heights[r];
      });
      for (const part of parts) {
        if (part.kind === "cache") group.append(...ends.map(([at, end]) => line(at, end, down)));
        group.append(part.draw(x + PAD, down, part.kind));
        down += part.height + PAD;
      }
      return group;
    },
  };
}

/** Groups the threads by gpu and block. Keeps the order of the test. */
function places(threads) {
  const gpus = new Map();
  threads.forEach((thread, index) => {
    const blocks = gpus.get(thread.gpu) ?? gpus.set(thread.gpu, new Map()).get(thread.gpu);
    (blocks.get(thread.block) ?? blocks.set(thread.block, []).get(thread.block)).push(index);
  });
  return gpus;
}

const sharedBy = (values, gpu, number) => values.filter((held) => [`b${number}`, `g${gpu}b${number}`].includes(held.location.split(":")[0]) && held.location.includes(":"));

/** Arranges boxes in rows. Returns them as one box. `wires(x, y, to)` leads from each box down to the height `to`. The
    boxes of lower rows cover the wires. */
function grid(boxes, available) {
  const rows = rowsOf(boxes, Math.max(...boxes.map((box) => box.width)), available);
  const heights = rows.map((row) => Math.max(...row.map((box) => box.height)));
  const widths = rows.map((row) => row.reduce((sum, box) => sum + box.width + GAP, -GAP));
  const each = (x, y, action) => rows.forEach((row, r) => {
    const top = y + heights.slice(0, r).reduce((sum, one) => sum + one + GAP, 0);
    row.reduce((left, box) => (action(box, left, top), left + box.width + GAP), x);
  });
  return {
    width: Math.max(...widths), height: heights.reduce((sum, one) => sum + one + GAP, -GAP),
    draw: (x, y) => {
      const group = svg("g");
      each(x, y, (box, left, top) => group.append(box.draw(left, top)));
      return group;
    },
    wires: (x, y, to) => {
      const list = [];
      each(x, y, (box, left, top) => list.push(...(box.wires?.(left, top, to) ?? [line(left + box.width / 2, top + box.height, to)])));
      return list;
    },
  };
}

/** Describes the blocks of a gpu. If there are several gpus, the L2 is below the blocks. */
function gpuBox(answer, gpu, blocks, isOnly, available) {
  const { memory, threads } = answer;
  const unitWidth = available < NARROW ? available - 2 * PAD : UNIT;
  const boxes = grid([...blocks].map(([number, indices]) => {
    const stores = memory.caches.filter((cache) => cache.level === 0 && cache.threads.includes(indices[0])).map((cache) => [cache.name, cache.lines, "cache"]);
    const own = sharedBy(memory.values, gpu, number);
    if (own.length) stores.push([`shared memory of block ${number}`, own, "memory"]);
    return block(`${isOnly ? "" : `gpu ${gpu}, `}block ${number}`, indices.map((i) => unit(threads[i], memory.buffers[i], unitWidth)), stores, available);
  }), available);
  const l2 = memory.caches.filter((cache) => cache.level === 1 && cache.threads.includes([...blocks.values()][0][0])).map((cache) => store(cache.name, cache.lines, boxes.width));
  const top = boxes.height;
  return {
    width: boxes.width, height: top + l2.reduce((sum, one) => sum + one.height + 16, 0),
    draw: (x, y) => {
      const group = svg("g");
      if (l2.length) group.append(...boxes.wires(x, y, y + top + 16));
      group.append(boxes.draw(x, y), ...l2.map((one) => one.draw(x, y + top + 16, "cache")));
      return group;
    },
    wires: (x, y, to) => (l2.length ? [line(x + boxes.width / 2, y + top + 16 + l2[0].height, to)] : boxes.wires(x, y, to)),
  };
}

/** Returns the answer to "step" as a picture. `available`: the width in pixels that the picture may take. */
export function drawMachine(answer, available) {
  const most = Math.max(available, NARROWEST) - 2;
  const gpus = places(answer.threads);
  const boxes = grid([...gpus].map(([gpu, blocks]) => gpuBox(answer, gpu, blocks, gpus.size === 1, most)), most);
  const isCached = answer.memory.caches.length > 0;
  const name = !isCached ? "memory (one copy, seen at once)" : gpus.size === 1 ? "L2: the memory that all blocks share" : "system memory";
  const width = Math.max(boxes.width, Math.min(most, name.length * LETTER + 2 * PAD));
  const memory = store(name, answer.memory.values.filter((held) => !/^(g\d+)?b\d+:/.test(held.location)), width);
  const height = boxes.height + 18 + memory.height;
  const all = svg("svg", { viewBox: `-1 -1 ${width + 2} ${height + 2}`, width: width + 2, height: height + 2, class: "machine", role: "img", "aria-label": "Threads, store buffers, caches and memory" });
  all.append(...boxes.wires(0, 0, boxes.height + 18), boxes.draw(0, 0), memory.draw(0, boxes.height + 18, "memory"));
  const figure = document.createElement("figure");
  const caption = document.createElement("figcaption");
  caption.textContent = isCached ? "* with a corner: dirty, not yet written back. Thick border: changed by the last step. Store buffers show the oldest store last."
    : "Thick border: changed by the last step.";
  figure.append(all, caption);
  return figure;
}
