// Graphviz for the worker: makeGraphviz() resolves to a function that converts the DOT language to SVG.
import { instance } from "@viz-js/viz";

self.makeGraphviz = async () => {
  const viz = await instance();
  // The DOT texts give the positions of all nodes, so Graphviz runs like neato -n2, as in api/graphviz.cpp.
  return (dot) => viz.renderString(dot, { engine: "nop2", format: "svg", graphAttributes: { dpi: 72 } });
};
