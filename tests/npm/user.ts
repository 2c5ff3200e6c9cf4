// A correct use of each method.
import { load, AmbitError, type Ambit, type CheckAnswer, type Fix, type Problem, type Race } from "ambit-gpu";

const ambit: Ambit = await load({ seconds: 10 });
const text = "CUDA empty";

export function racyLines(source: string): number[] {
  const answer: CheckAnswer = ambit.check(source, { name: "kernel.cu", models: ["ptx"], seconds: 3 });
  const races: Race[] = answer.results.flatMap((result) => result.races ?? []);
  return races.flatMap(({ first, second }) => [first.line, second.line]);
}

export function repaired(source: string): string | undefined {
  const fixes: Fix[] = ambit.fix(source).fixes;
  for (const fix of fixes) if (fix.state === "found") return fix.text;
  return undefined;
}

export function problems(source: string): readonly Problem[] {
  try {
    const { errors } = ambit.request({ do: "edit", text: source });
    return errors.map(({ message, line, character }) => ({ message, line: line + 1, column: character + 1 }));
  } catch (error) {
    if (error instanceof AmbitError) return error.problems;
    throw error;
  }
}

export const values: string[] = ambit.outcomes(text).results.flatMap(({ outcome_texts }) => (outcome_texts ?? []).flatMap(Object.values<string>));
export const titles: string[] = ambit.explain(text, { program: 0 }).explanations.map(({ title }) => title);
export const pictures: string[] = ambit.graph(text).pictures.map((picture) => picture.dot ?? picture.reason);
export const reports: string[] = ambit.detect(text, { memory: "gpu", finish: true, seed: 1 }).detectors.map(({ summary }) => summary);
export const steps: string[] = ambit.step(text, { choices: ["P0"], warps: "lockstep" }).next.map(({ name }) => name);
export const names: string[] = ambit.models().models.map(({ name }) => name);
export const labels: string[] = ambit.request({ do: "complete", text, line: 0, character: 4 }).completions.map(({ label }) => label);
export const hover: string | null = ambit.request({ do: "hover", text, line: 0, character: 4 }).text;
export const other: Ambit[] = [await load(), await load({ wasm: "https://example.org/engine.wasm" }), await load({ wasm: new Uint8Array(8) })];
