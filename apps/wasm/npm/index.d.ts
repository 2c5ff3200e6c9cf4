// Types of the npm package of Ambit. The names of the fields are those of the documents that `ambit check --json` and
// `ambit detect --json` print, and of the requests of the playground.

// ---- Loading -------------------------------------------------------------------------------------------------------

/** Options of load(). */
export interface LoadOptions {
  /** The address of engine.wasm, or its bytes. The default is the file engine.wasm of this package. */
  wasm?: string | { readonly href: string } | ArrayBuffer | ArrayBufferView;
  /** The time limit in seconds for requests that have no limit of their own. The default is 5. */
  seconds?: number;
}

/** Loads the engine. Each engine has its own memory. A program compiles the engine of this package once, even if it
    calls load() several times. */
export function load(options?: LoadOptions): Promise<Ambit>;

/** An engine. Each method returns when the answer is complete: in a page, call it in a web worker. A method throws an
    AmbitError if there is no answer. */
export interface Ambit {
  /** Returns each model's verdict: the answer to the condition, races with their statements and executions, and whether
      the expectations of the test are met. */
  check(text: string, options?: TestOptions): CheckAnswer;
  /** Returns each model's outcomes. */
  outcomes(text: string, options?: TestOptions): OutcomesAnswer;
  /** Explains why an outcome is allowed or forbidden, and which synchronization a race lacks. */
  explain(text: string, options?: TestOptions): ExplainAnswer;
  /** Returns the cheapest changes that remove the races; for a test without a race, the changes after which the
      condition never holds. */
  fix(text: string, options?: TestOptions): FixAnswer;
  /** Returns executions as pictures in the DOT language of Graphviz. */
  graph(text: string, options?: TestOptions): GraphAnswer;
  /** Runs all race detectors on one schedule of the simulator. Without `choices` and `finish`, the schedule is random
      and complete. */
  detect(text: string, options?: StepOptions): DetectAnswer;
  /** Runs the simulator along `choices`. Without `choices` and `finish`, returns the start and the possible steps. */
  step(text: string, options?: StepOptions): StepAnswer;
  /** Returns the models with their options. */
  models(): ModelsAnswer;
  /** Sends a request: the methods above call this method. */
  request<Action extends keyof Answers>(request: Request<Action>): Answers[Action];
}

/** Options of a question about a test. */
export interface TestOptions {
  /** The name of the text, without folders. The ending determines the language: "test.litmus", "kernel.cu",
      "module.ptx", "test.test". Without an ending or a name, the text itself determines its language. */
  name?: string;
  /** Names of models: "ptx", "hrf-relaxed(rlx=acquire)". Without models, the engine uses the models in the test's
      expectations, otherwise its default models. */
  models?: readonly string[];
  /** The number of the test, from 0, if the text has several tests. */
  program?: number;
  /** The time limit in seconds for all questions together. */
  seconds?: number;
}

/** Options of the simulator. */
export interface StepOptions extends TestOptions {
  /** "gpu" (store buffers and caches), which is the default, or "sc". */
  memory?: "gpu" | "sc";
  /** How the threads of a warp run. The default is "independent". */
  warps?: "independent" | "lockstep";
  /** Names of the steps to take, as in `next` and `steps` of the answers. */
  choices?: readonly string[];
  /** Whether to continue to the end at random. */
  finish?: boolean;
  /** The seed of the random steps. The default is 1. */
  seed?: number;
}

/** The answers by the name of the request. */
export interface Answers {
  check: CheckAnswer;
  outcomes: OutcomesAnswer;
  explain: ExplainAnswer;
  fix: FixAnswer;
  graph: GraphAnswer;
  detect: DetectAnswer;
  step: StepAnswer;
  models: ModelsAnswer;
  edit: EditAnswer;
  hover: HoverAnswer;
  complete: CompleteAnswer;
}

/** A request: its name, the text, and the options of the question. */
export type Request<Action extends keyof Answers = keyof Answers> = Action extends "models"
  ? { do: Action }
  : Action extends "hover" | "complete"
    ? { do: Action; text: string } & TestOptions & Position
    : Action extends "step" | "detect"
      ? { do: Action; text: string } & StepOptions
      : { do: Action; text: string } & TestOptions;

// ---- Errors --------------------------------------------------------------------------------------------------------

/** Part of an error: what is wrong, and where. */
export interface Problem {
  message: string;
  file?: string;
  /** From 1. */
  line?: number;
  /** From 1. */
  column?: number;
  /** What to do. */
  hint?: string;
}

/** The reason why there is no answer: a syntax error, an unknown model, a failure of the engine. `message` is the whole
    text, as the command line prints it. The fields of the first problem are also fields of the error. After a failure
    of the engine, the next request starts a new engine. */
export class AmbitError extends Error {
  private constructor();
  readonly problems: readonly Problem[];
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly hint?: string;
}

// ---- Verdicts ------------------------------------------------------------------------------------------------------

/** The part that several answers share. */
export interface Limited {
  /** True: a time limit may have cut the answer. */
  limited?: true;
}

/** The answer to "check". */
export interface CheckAnswer extends Limited {
  file: string;
  /** The test's name. */
  name: string;
  run: boolean;
  /** Places where the parser deviated from the text. */
  remarks?: Remark[];
  /** The labels of suites. */
  labels?: { suite: string; race: boolean; predictable: boolean }[];
  results: CheckResult[];
}

/** The answer to "outcomes". */
export interface OutcomesAnswer extends Omit<CheckAnswer, "results"> {
  results: OutcomesResult[];
}

/** A note about a place in the text. */
export interface Remark {
  line: number;
  column: number;
  message: string;
}

/** The result of a model. The fields of an answer are absent if the test has no question for the model, and if there is
    an `error`. `null` means that a value is not known. */
export interface Result {
  /** "ptx"; of a question about termination, "ptx under fair". */
  model: string;
  /** Whether the expectations are met; "--" without expectations. */
  status: "OK" | "FAIL" | "--" | "UNKNOWN" | "ERROR";
  /** The expectations that are not met, or whose answer is unknown. */
  reasons: string[];
  /** If `status` is "ERROR". */
  error?: string;
  /** The engine that answered. */
  engine?: string;
  frequency?: "Never" | "Sometimes" | "Always" | null;
  condition?: Condition | null;
  /** Whether there is a race; null also if the model does not define races. */
  race?: boolean | null;
  races?: Race[];
  /** Like races, for flags that are not races. */
  flags?: Race[];
  /** The verdict holds under this assumption. */
  assumption?: string;
  /** At the places of `races`, other pairs of threads may race, too. */
  more_pairs?: true;
  incidents?: Incident[];
  /** Kinds of incidents for which the answer is unknown. */
  unknown_incidents?: string[];
  /** Assumptions of the verdict. */
  remarks?: { message: string; line: number; text: string }[];
  /** The outcomes. A number over 2^53 is not exact: `outcome_texts` has exact values. */
  outcomes?: Outcome[];
  /** The number of executions, if an expectation asks for it. */
  executions?: number;
  /** An execution in which the condition's proposition holds. */
  witness_holds?: Witness | null;
  /** An execution in which the condition's proposition fails. */
  witness_fails?: Witness | null;
  /** Classes of exchangeable threads. */
  alike?: { thread: string; count: number }[];
  /** Values of options of the model that change the verdict. */
  readings?: { option: string; value: string; verdict: string }[];
  /** Why the answer is not known. */
  unknown?: Unknown | null;
  /** Of a question about termination. */
  scheduler?: "fair" | "hsa" | "obe" | "lobe" | "lockstep";
  /** Of a question about termination. */
  termination?: "terminates" | "stuck" | "livelock" | "unknown";
  /** If `termination` is "stuck": the threads that do not end. */
  waits?: Wait[];
  /** If `termination` is "livelock": the steps before the cycle, and the cycle. */
  livelock?: { before: LivelockStep[]; cycle: LivelockStep[] };
  /** If `termination` is "stuck": an execution without an outcome. */
  witness?: Omit<Witness, "outcome"> | null;
}

/** A result of "check". */
export interface CheckResult extends Result {
  /** The verdict as text, with executions. */
  details?: string;
  /** Whether the model defines races. */
  speaks_of_races: boolean;
  /** The words of `ambit check`. */
  words: { frequency: string; condition: string; race: string; reasons: string[] };
}

/** A result of "outcomes". */
export interface OutcomesResult extends Result {
  /** `outcomes` in the same order, with values as text. */
  outcome_texts?: Record<string, string>[];
  /** For each outcome whether the condition's proposition holds; null without a condition. */
  outcomes_holding?: boolean[] | null;
}

/** The condition of a test. */
export interface Condition {
  /** "exists", "~exists", "forall". */
  quantifier: string;
  text: string;
  holds: boolean | null;
}

/** Values by observable: a location "x" or a register "P1:r0". */
export type Outcome = Record<string, number>;

/** Two conflicting accesses that are not ordered. */
export interface Race {
  /** The flag of the model: "data-race". */
  flag: string;
  /** Null if one side is not an access. */
  location: string | null;
  first: RaceSide;
  second: RaceSide;
  /** An execution with this race. */
  witness?: Witness;
}

/** One statement of a race. */
export interface RaceSide {
  thread: string;
  /** "W x", "R x". */
  event: string;
  line: number;
  /** The statement. */
  text: string;
}

/** A failed assertion, an access out of bounds, a barrier that not all threads reach, or misuse of an operation. */
export interface Incident {
  kind: string;
  possible: boolean | null;
  message: string;
  line: number;
  text: string;
  /** Of barriers: where threads wait. */
  waits?: string[];
}

/** Why an answer is not known. */
export interface Unknown {
  reason: string;
  detail: string;
  /** What to do. */
  help: string;
}

/** An execution. */
export interface Witness {
  events: Event[];
  /** By location: the ids of its writes, oldest first. */
  coherence: Record<string, number[]>;
  outcome: Outcome;
}

/** An event of an execution. Both halves of a read-modify-write are events with the same text. */
export interface Event {
  id: number;
  /** Null for an initial write. */
  thread: string | null;
  /** "W x = 1". */
  event: string;
  line: number;
  /** Of accesses, like `location` and `value`. */
  kind?: "read" | "write";
  location?: string;
  value?: number | null;
  /** Of reads: the id of the write. */
  reads_from?: number;
}

/** A thread that does not end. */
export interface Wait {
  thread: string;
  kind: "loop" | "barrier" | "lockstep" | "suspended" | "never started";
  line: number;
  text: string;
  /** Of loops: the cells that the loop reads. */
  polled: { location: string; sees: number; awaits: number[]; awaits_change: boolean }[];
  /** Of barriers: "barrier 0 of block 1". */
  barrier: string | null;
  /** Of barriers: the threads that never arrive. */
  absent: string[];
}

/** A step of a livelock. */
export interface LivelockStep {
  thread: string;
  line: number;
  text: string;
  location: string | null;
  /** The value that the step reads. */
  reads: number | null;
  /** The value that the step writes. */
  writes: number | null;
}

// ---- Explanations, repairs, pictures -------------------------------------------------------------------------------

/** The part of answers that have at most four models. */
export interface FewModels extends Limited {
  /** The models that were left out. */
  not_asked: string[];
}

/** The answer to "explain". */
export interface ExplainAnswer extends FewModels {
  explanations: {
    model: string;
    /** The condition, or "races". */
    title: string;
    text: string;
  }[];
}

/** The answer to "fix". */
export interface FixAnswer extends FewModels {
  fixes: Fix[];
}

/** The repair of a test under a model. */
export type Fix = FoundFix | { model: string; goal: string; state: "nothing to do" | "none" | "unknown" };

/** A repair that was found. */
export interface FoundFix {
  model: string;
  /** "no race", or that the condition never holds. */
  goal: string;
  state: "found";
  /** Sentences, one for each change. */
  changes: string[];
  /** The changes as a patch. */
  diff: string;
  /** The changed text. */
  text: string;
}

/** The answer to "graph". */
export interface GraphAnswer extends FewModels {
  pictures: Picture[];
}

/** A picture in the DOT language, with the places of all nodes (`neato -n2`), or the reason why there is no picture. */
export type Picture = { model: string; title: string } & ({ dot: string; reason?: undefined } | { dot?: undefined; reason: string });

// ---- The simulator and the detectors -------------------------------------------------------------------------------

/** The answer to "step". */
export interface StepAnswer {
  /** The steps that were taken. `line` is 0 for a step of the memory. */
  steps: { choice: string; text: string; line: number }[];
  /** The possible next steps. `thread` is absent for a step of the memory. */
  next: { name: string; text: string; thread?: string }[];
  threads: SteppedThread[];
  memory: {
    values: HeldValue[];
    caches: { name: string; level: number; threads: number[]; lines: HeldValue[] }[];
    /** The store buffer of each thread. */
    buffers: HeldValue[][];
  };
  /** Why the run has no outcome. */
  stopped: string | null;
  /** Kinds of incidents in this run. */
  incidents: string[];
  /** At the end of a run: values as text. */
  outcome?: Record<string, string>;
}

/** A thread of the simulator. */
export interface SteppedThread {
  name: string;
  gpu: number;
  block: number;
  warp: number;
  state: "ready" | "waits" | "ended";
  /** The line of the next statement; 0 if the thread has ended. */
  line: number;
  /** The next step: "write x". */
  comes?: string;
  /** The next statement. */
  source?: string;
}

/** A value in a memory, cache or buffer. */
export interface HeldValue {
  location: string;
  value: string;
  dirty: boolean;
  /** Whether the last step changed the value. */
  changed: boolean;
}

/** The answer to "detect". */
export interface DetectAnswer {
  file?: string;
  /** The choices that make this schedule. */
  steps: string[];
  /** Whether all threads have ended. */
  ended: boolean;
  /** Why the run has no outcome. */
  stopped: string | null;
  incidents: string[];
  /** The number of events. */
  events: number;
  /** Critical sections in which the schedule ends. */
  open_sections: string[];
  /** Why there may be more races. */
  incomplete?: string;
  detectors: DetectorReport[];
}

/** The report of a race detector. */
export interface DetectorReport {
  detector: string;
  /** What the detector does. */
  summary: string;
  /** Why the detector has no answer. */
  not_judged: string | null;
  races: DetectedRace[];
  remarks: string[];
  /** True: the detector stopped before it had checked everything. */
  is_open: boolean;
}

/** A race that a detector reports. */
export interface DetectedRace {
  location: string | null;
  locations: string[];
  /** True: there are more locations. */
  has_unnamed_locations: boolean;
  kind: string;
  level: "warp" | "block" | "device";
  first: DetectedAccess;
  second: DetectedAccess;
  sentence: string;
  /** The number of pairs of accesses. */
  count: number;
  /** Of detectors that predict: the events before both accesses. */
  witness?: number[];
}

/** An access of a race that a detector reports. */
export interface DetectedAccess {
  thread: string | null;
  /** "mp.litmus:4:55". */
  site: string | null;
  /** 0 if the site is not in the text. */
  line: number;
  text: string | null;
  event: number | null;
  write: boolean;
  atomic: boolean;
}

// ---- Models and editors --------------------------------------------------------------------------------------------

/** The answer to "models". */
export interface ModelsAnswer {
  models: {
    name: string;
    title: string;
    options: { name: string; values: string[]; meaning: string }[];
  }[];
}

/** A place in a text, from 0. */
export interface Position {
  line: number;
  character: number;
}

/** A part of a text, from 0. */
export interface Range extends Position {
  endLine: number;
  endCharacter: number;
}

/** The answer to "edit". */
export interface EditAnswer {
  /** The name with its ending. */
  name: string;
  /** "CUDA litmus test". */
  language: string;
  /** The names of the tests. */
  tests: string[];
  errors: (Range & { message: string })[];
  remarks: (Range & { message: string })[];
  threads: { name: string; detail: string }[];
  /** The places of the expectations. */
  expectations: Range[];
}

/** The answer to "hover": Markdown, or null. */
export interface HoverAnswer {
  text: string | null;
}

/** The answer to "complete". */
export interface CompleteAnswer {
  completions: { label: string; insert: string; detail: string }[];
}
