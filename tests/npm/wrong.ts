// A wrong use in each marked line.
import { load, AmbitError } from "ambit-gpu";

const ambit = await load();
const text = "CUDA empty";
ambit.check(); // error
ambit.check(text, { models: "ptx" }); // error
ambit.check(text, { timeout: 3 }); // error
ambit.check(text, { memory: "sc" }); // error
ambit.step(text, { memory: "cpu" }); // error
ambit.request({ do: "nothing", text }); // error
ambit.request({ do: "hover", text }); // error
const verdict: string = ambit.check(text).results[0]!.race; // error
for (const race of ambit.check(text).results[0]!.races) console.log(race); // error
const changed: string = ambit.fix(text).fixes[0]!.text; // error
const dot: string = ambit.graph(text).pictures[0]!.dot; // error
ambit.explain(text).explanations[0]!.txt; // error
load().check(text); // error
new AmbitError("text"); // error
export { verdict, changed, dot };
