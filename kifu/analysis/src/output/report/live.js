// Reports with the engine inside, or in the app: readers try their own moves, which become branches.
import { isOwn, movesTo, square, squareName } from "./board.js";
import { movesTyped, spelledLine } from "./notation.js";
import { addWords, at, make, save, scriptText, w } from "./page.js";
import {
  current,
  data,
  draw,
  drawBoard,
  drawMoves,
  endExercise,
  evaluation,
  exercise,
  frame,
  go,
  line,
  lists,
  live,
  ply,
  show,
  steps,
  untouched,
} from "./script.js";
import { LIVE_WORDS } from "./words.js";

addWords(LIVE_WORDS);
const tryButton = make("button", {
  type: "button",
  id: "try",
  "data-word": "tryMoves",
  "aria-pressed": "false",
  onclick: () => (live.trial ? endTrial() : startTrial()),
});
const playOnButton = make("button", {
  type: "button",
  id: "play-on",
  "data-word": "playOn",
  onclick: () => app.tell("playOn", [positionText()]),
});
const livePanel = make("div", { id: "live", role: "region" });
livePanel.hidden = true;
const saveButton = make("button", { type: "button", id: "save", "data-word": "saveReport", onclick: savePage });
live.withEngine = typeof MONOMI !== "undefined";
tryButton.hidden = saveButton.hidden = !live.withEngine;
playOnButton.hidden = true;
at("practice").after(tryButton, playOnButton);
at("print").before(saveButton);
at("verdict").before(livePanel);
let rules = null; // the engine in this thread, for the rules, or the app's
let engine = null; // the engine in a worker, for searches, or the app's

// The app that shows this report: it answers calls by messages.
const app = {
  calls: new Map(),
  last: 0,
  tell(call, args, id = 0) {
    window.parent.postMessage({ call, args, id }, "*");
  },
  ask(call, args, listener = () => {}) {
    const id = ++this.last;
    const answer = new Promise((resolve, reject) => this.calls.set(id, { resolve, reject, listener }));
    this.tell(call, args, id);
    return Object.assign(answer, { stop: () => this.tell("stop", [], id) });
  },
  handleMessage({ id, info, result, error }) {
    const call = this.calls.get(id);
    if (!call) return;
    if (info) return call.listener(info);
    this.calls.delete(id);
    if (error === undefined) call.resolve(result);
    else call.reject(new Error(error));
  },
};

window.addEventListener("message", (event) => {
  if (event.source !== window.parent || event.source === window) return;
  if (event.data?.host) {
    const asked = (call) => [call, (...args) => app.ask(call, args)];
    rules = Object.fromEntries(["position", "names", "withBranches"].map(asked));
    engine = { search: (text, limits, onInfo) => app.ask("search", [text, limits], onInfo) };
    tryButton.hidden = playOnButton.hidden = false;
    live.withEngine = true;
    draw();
    live.trial?.again();
  } else app.handleMessage(event.data ?? {});
});

/** The position shown with the moves before it, as after `position` in USI. */
function positionText() {
  const before = steps.slice(0, ply).map((step) => step.played);
  const moves = line ? [...before, ...line.moves.slice(0, line.index)] : before;
  return `sfen ${data.start}${moves.length ? ` moves ${moves.join(" ")}` : ""}`;
}

/** Loads the engine of this report, unless it has been or the app lends its own. */
async function loadEngine() {
  if (engine) return;
  const source = await embeddedEngine();
  [rules, engine] = await Promise.all([Engine.create(source), WorkerEngine.create(source)]);
}

async function startTrial() {
  if (exercise) endExercise();
  livePanel.hidden = false;
  try {
    if (!engine) livePanel.textContent = w.loadingEngine;
    await loadEngine();
  } catch (error) {
    livePanel.textContent = w.noEngine(error.message);
    return;
  }
  live.trial = new Trial();
  tryButton.setAttribute("aria-pressed", "true");
  draw();
}

function endTrial() {
  live.trial.stop();
  live.trial = null;
  livePanel.hidden = true;
  tryButton.setAttribute("aria-pressed", "false");
  // A branch stays in the list of moves; the board goes back to the game.
  drawMoves();
  show(ply);
}

Object.assign(live, { endTrial, removeBranch });

/** The branches of the reader, as in the data of a report. */
const ownBranches = () =>
  data.branches
    .filter((branch) => branch.own)
    .map(({ before, moves, japanese, own, cp, mate, turn }) => ({
      before,
      moves: moves.join(" "),
      names: japanese.join(""),
      own,
      cp,
      mate,
      turn,
    }));

/** The annotated record with the branches of the reader as variations. */
live.exported = async () => {
  const own = ownBranches().map(({ before, moves, cp, mate }) => ({ before, moves: moves.split(" "), cp, mate }));
  if (!live.withEngine) return data.exported ?? data.kif;
  if (!own.length) return data.kif;
  try {
    await loadEngine();
  } catch (error) {
    at("copied").textContent = w.noEngine(error.message);
    throw error;
  }
  return rules.withBranches(data.kif, own);
};

let keeping = 0;

/** Keeps the branches of the reader over a reload, and tells the app of them. */
function keepBranches() {
  clearTimeout(keeping);
  keeping = setTimeout(async () => {
    const branches = ownBranches();
    if (window.parent !== window) return app.tell("branches", [branches, await live.exported()]);
    try {
      history.replaceState({ branches }, "");
    } catch {
      // Some browsers forbid this for files.
    }
  }, 300);
}

/** Saves this page with the branches of the reader. */
function savePage() {
  const page = untouched.cloneNode(true);
  const stored = page.querySelector("#data");
  const known = JSON.parse(stored.textContent);
  const branches = [...known.branches.filter((branch) => !branch.own), ...ownBranches()];
  stored.textContent = scriptText({ ...known, branches });
  save(`<!DOCTYPE html>\n${page.outerHTML}\n`, data.file.replace(/\.kifu$/, ".html"), "text/html");
}

function removeBranch(branch) {
  data.branches.splice(data.branches.indexOf(branch), 1);
  keepBranches();
  drawMoves();
  show(ply, line?.moves === branch.moves ? null : line);
}

class Trial {
  selected = null;
  promotion = null;
  found = [];
  #text = "";
  #info = null; // null until the rules have answered
  #search = null;
  #problem = "";

  arrows() {
    return this.found
      .filter(Boolean)
      .slice(0, 2)
      .map((item, index) => [item.pv[0], index ? "second" : "best"])
      .reverse();
  }

  targets() {
    if (this.selected === null || !this.#info) return [];
    const from = typeof this.selected === "string" ? `${this.selected}*` : squareName(this.selected);
    return this.#info.legal.filter((move) => move.startsWith(from)).map((move) => square(move.slice(2)));
  }

  choose = (target) => {
    if (!this.#info) return undefined;
    const position = current();
    this.promotion = null;
    if (typeof target === "string" || isOwn(position, target)) this.selected = target;
    else if (this.selected !== null) {
      const moves = movesTo(position, this.selected, target).filter((move) => this.#info.legal.includes(move));
      if (moves.length === 1) return this.play(moves[0]);
      if (moves.length === 2) this.promotion = moves;
      else this.selected = null;
    }
    return draw();
  };

  /** Plays a move that was typed. */
  async type(written) {
    if (!this.#info || !written.trim()) return;
    const [position, { legal }, text] = [current(), this.#info, this.#text];
    const names = (await Promise.all(legal.map((move) => rules.names(text, [move])))).map(([name]) => name);
    if (text !== this.#text) return;
    const moves = movesTyped(written, position, legal, () => names);
    if (moves.length === 1) this.play(moves[0]);
    else {
      this.#problem = w.notLegal(written);
      this.rows();
    }
  }

  /** A move becomes a part of the branch shown, or begins another one. */
  async play(move) {
    const text = this.#text;
    this.selected = this.promotion = null;
    const [name] = await rules.names(text, [move]);
    if (text !== this.#text || live.trial !== this) return;
    const own = data.branches.find((branch) => branch.own && branch.moves === line?.moves);
    if (line?.moves[line.index] === move) return show(ply, { ...line, index: line.index + 1 });
    const before = line
      ? { moves: line.moves.slice(0, line.index), japanese: line.japanese.slice(0, line.index) }
      : { moves: [], japanese: [] };
    const branch = {
      before: ply,
      sfen: steps[ply].sfen,
      moves: [...before.moves, move],
      japanese: [...before.japanese, name],
      own: true,
    };
    branch.names = spelledLine(branch.sfen, branch.moves, branch.japanese);
    if (own && line.index === own.moves.length) data.branches[data.branches.indexOf(own)] = branch;
    else data.branches.push(branch);
    keepBranches();
    drawMoves();
    return show(ply, {
      sfen: branch.sfen,
      moves: branch.moves,
      japanese: branch.japanese,
      index: branch.moves.length,
      label: w.trial,
    });
  }

  /** Called when the page is drawn: searches the position if it is another one. */
  changed() {
    if (positionText() !== this.#text) this.again();
    else this.panel();
  }

  /** Searches the position shown. */
  async again() {
    const text = positionText();
    this.#text = text;
    this.#info = null;
    this.#problem = "";
    this.found = [];
    this.selected = this.promotion = null;
    this.stop();
    this.panel();
    drawBoard();
    const info = await rules.position(text);
    if (this.#text !== text || live.trial !== this) return;
    this.#info = info;
    if (this.#info.legal.length) {
      this.#search = engine.search(text, { multipv: 2 }, (info) => this.#take(text, info));
      this.#search.catch(() => {});
    }
    drawBoard();
    this.panel();
  }

  async #take(text, info) {
    if (this.#text !== text || live.trial !== this || info.bound !== "exact" || !info.pv.length) return;
    const names = await rules.names(text, info.pv.slice(0, 12));
    if (this.#text !== text || live.trial !== this || info.depth < (this.found[info.multipv - 1]?.depth ?? 0)) return;
    const before = JSON.stringify(this.arrows());
    if (info.multipv === 1) this.found.length = 1;
    this.found[info.multipv - 1] = { ...info, names };
    if (JSON.stringify(this.arrows()) !== before) drawBoard();
    if (info.multipv === 1) this.#value(info);
    this.rows();
  }

  /** The evaluation for Black, and the side to move. */
  #forBlack({ score }) {
    const { turn } = this.#info;
    const sign = turn === "b" ? 1 : -1;
    return score.mate === undefined
      ? { cp: sign * score.cp, mate: undefined, turn }
      : { cp: undefined, mate: sign * score.mate, turn };
  }

  #inWords(info) {
    return evaluation(this.#forBlack(info), this.#info.turn);
  }

  /** The evaluation of a branch is that of its last position. */
  #value(info) {
    const own = data.branches.find(
      (branch) => branch.own && branch.moves === line?.moves && line.index === branch.moves.length,
    );
    if (!own) return;
    const value = this.#inWords(info);
    if (evaluation(own, own.turn) === value) return;
    Object.assign(own, this.#forBlack(info));
    keepBranches();
    document.querySelectorAll("[data-branch]").forEach((element) => {
      if (Number(element.dataset.branch) === data.branches.indexOf(own)) element.textContent = value;
    });
  }

  stop() {
    this.#search?.stop();
    this.#search = null;
  }

  panel() {
    const button = (word, action) => make("button", { type: "button", onclick: action }, word);
    const buttons = this.promotion
      ? [button(w.promote, () => this.play(this.promotion[0])), button(w.stay, () => this.play(this.promotion[1]))]
      : [
          button(w.engineMove, () => this.found[0] && this.play(this.found[0].pv[0])),
          button(w.takeBack, () => go("previous")),
          button(w.endTrial, endTrial),
        ];
    const field =
      livePanel.querySelector("input") ??
      make("input", { id: "trial-move", size: "8", autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
    field.setAttribute("aria-label", w.trialMove);
    field.placeholder = w.trialMove;
    const typing = document.activeElement === field;
    const form = make("form", {}, field, " ", make("button", {}, w.trialPlay));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const written = field.value;
      field.value = "";
      this.type(written);
    });
    livePanel.replaceChildren(
      make("div", { class: "buttons" }, ...buttons, form),
      make("ol"),
      make("p", { class: "depth", role: "status" }),
    );
    if (typing) field.focus();
    this.rows();
  }

  rows() {
    const best = this.found[0];
    livePanel
      .querySelector("ol")
      .replaceChildren(
        ...this.found
          .filter(Boolean)
          .map((info) =>
            make(
              "li",
              {},
              make("span", { class: "score" }, this.#inWords(info)),
              " ",
              spelledLine(this.#info.sfen, info.pv.slice(0, 12), info.names).join(" "),
            ),
          ),
      );
    livePanel.querySelector("p").textContent =
      this.#problem ||
      (best
        ? `${w.depth} ${best.depth} · ${best.nodes.toLocaleString()} ${w.nodes}`
        : this.#info?.legal.length === 0
          ? w.gameOver
          : w.trialHint);
  }
}
// After a reload.
if (history.state?.branches) {
  const kept = history.state.branches.map((branch) =>
    Object.assign(lists(branch), { sfen: steps[branch.before].sfen }),
  );
  data.branches = [...data.branches.filter((branch) => !branch.own), ...kept];
}
frame();
