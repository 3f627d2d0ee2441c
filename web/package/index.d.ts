/** A score for the side to move: centipawns, or plies to a mate (negative if the side to move is mated, 0 if it is already). */
export type Score = { cp: number; mate?: undefined } | { mate: number; cp?: undefined };

/** Limits of a search. Without nodes, depth or a time it runs until it is stopped. */
export interface Limits {
  /** Nodes to search. */
  nodes?: number;
  /** Last iteration in plies. */
  depth?: number;
  /** Milliseconds. */
  movetime?: number;
  /** Black's time in milliseconds, and White's. */
  btime?: number;
  wtime?: number;
  /** Increment for each move in milliseconds. */
  binc?: number;
  winc?: number;
  /** Time for each move after the main time, in milliseconds. */
  byoyomi?: number;
  /** Until stopped (WorkerEngine only). */
  infinite?: boolean;
  /** Number of best lines (MultiPV); 1 by default. */
  multipv?: number;
  /** Playing strength: 0 to 19, or 20 (the default) for full strength. Not used in searches without an end. */
  level?: number;
  /** Search these moves only. */
  searchmoves?: string[];
  /** Ends the search; the error is the signal's reason. */
  signal?: AbortSignal;
}

/** A line of an iteration. */
export interface Info {
  depth: number;
  seldepth: number;
  /** Rank of the line, from 1. */
  multipv: number;
  score: Score;
  /** The winning probability of the side to move that belongs to the score, by the network's scale: from 0 to 1. */
  win: number;
  bound: "exact" | "lower" | "upper";
  nodes: number;
  /** Nodes per second. */
  nps: number;
  /** Milliseconds. */
  time: number;
  /** Use of the transposition table in permille. */
  hashfull: number;
  /** The moves in USI. */
  pv: string[];
}

export interface SearchResult {
  /** A move in USI, "resign" or "win" (by declaration). */
  move: string;
  /** The expected reply. */
  ponder: string | null;
  /** The last lines, best first. */
  lines: { score: Score; pv: string[] }[];
  depth: number;
  nodes: number;
}

export interface MateResult {
  /** True: mate; false: there is no mate by continuous checks; null: not known in this time. */
  mate: boolean | null;
  /** The mating line. */
  moves: string[];
  nodes: number;
}

export interface PositionInfo {
  sfen: string;
  turn: "b" | "w";
  /** Number of the next move. */
  ply: number;
  check: boolean;
  last: string | null;
  /** The side to move may declare a win (27 points). */
  declaration: boolean;
  /** Set if the game is over: "mate", "repetition", or a perpetual check that the side to move has won or lost. */
  over: "mate" | "repetition" | "perpetual-won" | "perpetual-lost" | null;
  /** Legal moves in USI. */
  legal: string[];
}

/** A game of a record. */
export interface Game {
  players: [string, string];
  event: string | null;
  date: string | null;
  handicap: string | null;
  /** The first position as SFEN. */
  start: string;
  moves: string[];
  /** Time used for each move in seconds, where known. */
  seconds: (number | null)[];
  /** Lines of comments on the start and on each move. */
  comments: string[][];
  /** Variations, each from where it leaves the game: the number of moves before it, and its moves with what is said of
   *  each. */
  branches: { before: number; moves: string[]; seconds: (number | null)[]; comments: string[][] }[];
  ending: string | null;
  /** Parts that could not be read. */
  faults: string[];
}

export interface AnalysisOptions {
  /** Which game of the file opened last, from 0. */
  game?: number;
  /** Nodes for each position. */
  nodes?: number;
  /** Lines for each position. */
  lines?: number;
  /** The name of the game in the report. */
  name?: string;
  /** Ends the analysis; the error is the signal's reason. */
  signal?: AbortSignal;
}

/** A self-contained HTML page, and the annotated record. */
export interface Report {
  html: string;
  kif: string;
}

export interface Progress {
  done: number;
  of: number;
}

/** A variation for a KIF, from where it leaves the game. */
export interface Branch {
  /** The number of moves of the game before it. */
  before: number;
  moves: string[];
  seconds?: (number | null)[];
  /** Lines of comments on each of its moves. */
  comments?: string[][];
  ending?: string | null;
  /** The evaluation of its last position for Black: centipawns, or plies to the mate. */
  cp?: number;
  mate?: number;
}

/** Headers of KIF such as `開始日時`, the time used for each move in seconds, and variations. */
export interface KifHeaders {
  headers?: [string, string][];
  seconds?: (number | null)[];
  branches?: Branch[];
  /** Lines of comments on the start and on each move. */
  comments?: string[][];
}

export type Wasm = WebAssembly.Module | BufferSource | Response | URL | string;

/**
 * The engine in the calling thread. Functions that it calls, such as `onInfo`, may use `position`, `names`, `evaluate`,
 * `kif`, `withBranches` and `handicaps`; what they throw ends the work and is thrown by it.
 *
 * Positions are texts as after `position` in USI: `startpos moves 7g7f`, `sfen ... moves ...`. Errors are thrown.
 */
export class Engine {
  private constructor();
  static create(options?: { wasm?: Wasm; signal?: AbortSignal }): Promise<Engine>;
  /** Why the engine cannot be used any more; empty while it can. */
  readonly failure: string;
  /** Executes a line of USI. After "step" call `step` until it returns something else; "quit" ends the engine. */
  send(line: string, onLine?: (line: string) => void): "wait" | "step" | "quit";
  step(milliseconds: number, onLine?: (line: string) => void): "wait" | "step" | "quit";
  newGame(): void;
  setOption(name: string, value: string | number | boolean): void;
  search(position: string, limits: Limits, onInfo?: (info: Info) => void): SearchResult;
  mate(position: string, milliseconds: number): MateResult;
  position(position: string): PositionInfo;
  names(position: string, moves: string[]): string[];
  evaluate(position: string): number | { mate: number };
  /** `ending` is a word of CSA: TORYO, SENNICHITE, TIME_UP, ... */
  kif(position: string, players?: [string, string], ending?: string | null, more?: KifHeaders): string;
  /** A record in KIF with further variations. */
  withBranches(kif: string, branches: Branch[]): string;
  /** Errors are in this language from now on; "en" by default. */
  setLanguage(language: "en" | "ja"): void;
  handicaps(): [string, string][];
  openRecords(file: string | BufferSource): Game[];
  /** One of the games opened last (default: the first) as KIF, with its headers, comments, times and variations. */
  recordKif(game?: number): string;
  /** Returns the description of the network. */
  loadNetwork(bytes: BufferSource): string;
  beginAnalysis(options?: AnalysisOptions): { positions: number; stretches: [number, number][]; table: number };
  advanceAnalysis(onProgress?: (progress: Progress) => void): boolean;
  /** `hosted`: for a page that lends its engine to the report (docs/app.md); false by default. */
  report(hosted?: boolean): Report;
  /** Parts of a shared analysis, see `analyzeTogether`. Results are those of one position each. */
  beginStretch(from: number, to: number): void;
  join(ply: number, first: boolean): boolean;
  results(from: number, to: number): unknown[];
  takeResults(from: number, results: unknown[]): void;
  analyze(options?: AnalysisOptions, onProgress?: (progress: Progress) => void): Report;
}

/** A game in progress, checked by an engine. */
export class Position {
  constructor(engine: Engine, text?: string);
  readonly moves: string[];
  info(): PositionInfo;
  play(move: string): this;
  undo(): string | undefined;
  toString(): string;
}

/** A promise with a way to end the work early; it is then resolved with what has been found. */
export type Stoppable<T> = Promise<T> & { stop(): void };

/** What `worker` has to give: a web worker, or something with its functions. */
export interface WorkerLike {
  postMessage(message: unknown): void;
  terminate(): unknown;
  onmessage: ((event: any) => void) | null;
  onerror: ((event: any) => void) | null;
}

/**
 * The same in a web worker, or in a thread of Node.js. While a search is at work, questions about the rules (`position`,
 * `names`, `evaluate`, `kif`, `withBranches`, `handicaps`) are answered at once, by an instance in the calling thread.
 */
export class WorkerEngine {
  private constructor();
  static create(options?: { wasm?: Wasm; worker?: () => WorkerLike; signal?: AbortSignal }): Promise<WorkerEngine>;
  /** The compiled module: `create({ wasm: engine.module })` compiles nothing. */
  readonly module: WebAssembly.Module;
  search(position: string, limits?: Limits, onInfo?: (info: Info) => void): Stoppable<SearchResult>;
  analyze(options?: AnalysisOptions, onProgress?: (progress: Progress) => void): Stoppable<Report>;
  beginAnalysis(options?: AnalysisOptions): Promise<{ positions: number; stretches: [number, number][]; table: number }>;
  stretch(from: number, to: number, onProgress?: (progress: Progress) => void): Stoppable<unknown[]>;
  join(from: number, to: number, results: unknown[]): Stoppable<unknown[]>;
  takeResults(from: number, results: unknown[]): Promise<null>;
  report(hosted?: boolean): Promise<Report>;
  /** Executes a line of USI. `go infinite` runs until the next line. */
  usi(line: string, onLine?: (line: string) => void): Promise<"wait" | "step" | "quit">;
  mate(position: string, milliseconds: number): Promise<MateResult>;
  position(position: string): Promise<PositionInfo>;
  names(position: string, moves: string[]): Promise<string[]>;
  evaluate(position: string): Promise<number | { mate: number }>;
  kif(position: string, players?: [string, string], ending?: string | null, more?: KifHeaders): Promise<string>;
  withBranches(kif: string, branches: Branch[]): Promise<string>;
  setLanguage(language: "en" | "ja"): Promise<void>;
  handicaps(): Promise<[string, string][]>;
  openRecords(file: string | BufferSource): Promise<Game[]>;
  recordKif(game?: number): Promise<string>;
  loadNetwork(bytes: BufferSource): Promise<string>;
  newGame(): Promise<void>;
  setOption(name: string, value: string | number | boolean): Promise<void>;
  /** Ends everything in progress at once and starts a new worker with the options, language, network and records of
   *  this one. */
  restart(): Promise<void>;
  /** Ends the worker. A search that was stopped is answered with what it has found; all other calls are errors. */
  terminate(): void;
}

/**
 * Analyses one of the games of a file with several workers: by default as many as the machine has cores, fewer where
 * memory is short. Their number changes nothing in the results. `engine` puts the results together; the other workers
 * are created from `source`.
 */
export function analyzeTogether(
  engine: WorkerEngine,
  source: { wasm?: Wasm; worker?: () => WorkerLike },
  file: string | BufferSource,
  options?: AnalysisOptions & { workers?: number },
  onProgress?: (progress: Progress) => void,
): Stoppable<Report>;
