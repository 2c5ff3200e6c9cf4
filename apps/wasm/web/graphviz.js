// Graphviz for the worker: makeGraphviz() resolves to a function from the DOT language to SVG.
import { instance } from "@viz-js/viz";

self.makeGraphviz = async () => {
  const viz = await instance();
  // The descriptions have the places of all nodes: neato -n2, as in api/graphviz.cpp.
  return (dot) => viz.renderString(dot, { engine: "nop2", format: "svg", graphAttributes: { dpi: 72 } });
};
