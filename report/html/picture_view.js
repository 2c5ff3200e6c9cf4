// <picture-view> shows its SVG picture at any size. Buttons, keys, the wheel with Ctrl, and two fingers
// zoom; dragging, scrolling and arrow keys move the picture. If scripts are disabled, the page shows the whole picture.
{ // a block, because another script of the page may use the same names
  const LARGEST = 4;
  const STEP = 1.25;
  const PIXELS_PER_POINT = 4 / 3;

  class PictureView extends HTMLElement {
    #svg;
    #frame = document.createElement("div");
    #size = document.createElement("output");
    #natural = 1; // width of the picture in pixels when its size is 100 %
    #zoom = 0; // 0: the picture fits into the frame
    #pinch = null;

    connectedCallback() {
      if (this.#svg) return;
      this.#svg = this.querySelector("svg");
      if (!this.#svg) return;
      this.#natural = parseFloat(this.#svg.getAttribute("width")) * PIXELS_PER_POINT;
      this.#frame.className = "frame";
      this.#frame.tabIndex = 0;
      this.#frame.setAttribute("role", "group");
      this.#frame.setAttribute("aria-label", `${this.getAttribute("label") ?? "picture"}. Keys: + and - zoom, 0 fits, arrows move.`);
      this.#frame.append(this.#svg);
      const tools = document.createElement("div");
      tools.className = "tools";
      tools.append(this.#button("−", "Zoom out (-)", () => this.#by(1 / STEP)), this.#button("+", "Zoom in (+)", () => this.#by(STEP)),
        this.#button("Fit", "Fit into the page (0)", () => this.#fit()), this.#button("100 %", "Natural size (1)", () => this.#to(1)), this.#size);
      this.replaceChildren(tools, this.#frame);
      this.#listen();
      this.#centre();
      new ResizeObserver(() => this.#draw()).observe(this.#frame);
      this.#draw();
    }

    /** Moves texts into the middle of their boxes. Graphviz computes positions of texts for a font that the browser may
        lack. */
    #centre() {
      for (const node of this.#svg.querySelectorAll("g.node")) {
        const shape = node.querySelector("path, polygon, ellipse");
        if (!shape) continue;
        const { x, width } = shape.getBBox();
        for (const text of node.querySelectorAll("text")) {
          text.setAttribute("text-anchor", "middle");
          text.setAttribute("x", x + width / 2);
        }
      }
    }

    /** The size, at most 1, at which the picture's whole width fits into the frame. */
    get #fitting() { return Math.min(1, Math.max(1, this.#frame.clientWidth) / this.#natural); }
    get #current() { return this.#zoom || this.#fitting; }

    #button(text, title, action) {
      const button = document.createElement("button");
      Object.assign(button, { type: "button", textContent: text, title });
      button.addEventListener("click", action);
      return button;
    }

    #draw() {
      this.#svg.style.width = `${this.#natural * this.#current}px`;
      this.#size.textContent = `${Math.round(this.#current * 100)} %`;
      this.#frame.classList.toggle("moves", this.#frame.scrollWidth > this.#frame.clientWidth + 1 || this.#frame.scrollHeight > this.#frame.clientHeight + 1);
    }

    #fit() {
      this.#zoom = 0;
      this.#draw();
    }

    /** Zooms to a size. Keeps the point (x, y) of the window in place or, without a point, the middle of the frame. */
    #to(size, x, y) {
      const box = this.#frame.getBoundingClientRect();
      const [dx, dy] = [(x ?? box.left + box.width / 2) - box.left, (y ?? box.top + box.height / 2) - box.top];
      const before = this.#current;
      const [left, top] = [this.#frame.scrollLeft, this.#frame.scrollTop];
      this.#zoom = Math.min(LARGEST, Math.max(Math.min(this.#fitting, 0.25), size));
      this.#draw();
      const factor = this.#zoom / before;
      this.#frame.scrollTo((left + dx) * factor - dx, (top + dy) * factor - dy);
    }

    #by(factor, x, y) { this.#to(this.#current * factor, x, y); }

    #listen() {
      const frame = this.#frame;
      frame.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const action = { "+": () => this.#by(STEP), "=": () => this.#by(STEP), "-": () => this.#by(1 / STEP), 0: () => this.#fit(), 1: () => this.#to(1) }[event.key];
        if (!action) return;
        event.preventDefault();
        action();
      });
      frame.addEventListener("wheel", (event) => {
        if (!event.ctrlKey && !event.metaKey) return; // the wheel alone scrolls; a pinch on a touch pad sets ctrlKey
        event.preventDefault();
        this.#by(Math.exp(-Math.max(-60, Math.min(60, event.deltaY)) / 200), event.clientX, event.clientY);
      }, { passive: false });
      frame.addEventListener("pointerdown", (event) => {
        if (event.pointerType !== "mouse" || event.button !== 0 || !frame.classList.contains("moves")) return;
        const [left, top] = [frame.scrollLeft + event.clientX, frame.scrollTop + event.clientY];
        const move = (next) => frame.scrollTo(left - next.clientX, top - next.clientY);
        frame.setPointerCapture(event.pointerId);
        frame.addEventListener("pointermove", move);
        frame.addEventListener("lostpointercapture", () => frame.removeEventListener("pointermove", move), { once: true });
      });
      frame.addEventListener("touchstart", (event) => { this.#pinch = event.touches.length === 2 ? { distance: distance(event.touches), size: this.#current } : null; }, { passive: true });
      frame.addEventListener("touchmove", (event) => {
        if (!this.#pinch || event.touches.length !== 2) return;
        event.preventDefault();
        const [a, b] = event.touches;
        this.#to(this.#pinch.size * distance(event.touches) / this.#pinch.distance, (a.clientX + b.clientX) / 2, (a.clientY + b.clientY) / 2);
      }, { passive: false });
    }
  }

  const distance = ([a, b]) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);

  if (!customElements.get("picture-view")) customElements.define("picture-view", PictureView);
}
