// Reports with the engine inside: readers try their own moves.
const LIVE_WORDS = {
  ja: { tryMoves: "自分で指してみる", loadingEngine: "エンジンを読み込んでいます…", noEngine: (why) => `エンジンを読み込めません: ${why}`, engineMove: "Monomi に指させる", takeBack: "一手戻す", endTrial: "終了", trialHint: "盤の駒を動かしてください。", trial: "試し指し", nodes: "局面", gameOver: "詰み" },
  en: { tryMoves: "Try your own moves", loadingEngine: "Loading the engine…", noEngine: (why) => `The engine cannot be loaded: ${why}`, engineMove: "Let Monomi move", takeBack: "Take back", endTrial: "Leave", trialHint: "Move the pieces on the board.", trial: "Trial", nodes: "nodes", gameOver: "Mate" },
};
for (const [name, words] of Object.entries(LIVE_WORDS)) Object.assign(WORDS[name], words);
const tryButton = make("button", { type: "button", id: "try", "data-word": "tryMoves", "aria-pressed": "false", onclick: () => (trial ? endTrial() : startTrial()) });
const livePanel = make("div", { id: "live", role: "region" });
livePanel.hidden = true;
at("practice").after(tryButton);
at("verdict").before(livePanel);
let rules = null; // the engine in this thread, for the rules
let engine = null; // the engine in a worker, for searches

async function startTrial() {
  if (exercise) endExercise();
  livePanel.hidden = false;
  try {
    if (!engine) {
      livePanel.textContent = w.loadingEngine;
      const source = await embeddedEngine();
      [rules, engine] = await Promise.all([Engine.create(source), WorkerEngine.create(source)]);
    }
  } catch (error) {
    livePanel.textContent = w.noEngine(error.message);
    return;
  }
  trial = new Trial();
  tryButton.setAttribute("aria-pressed", "true");
  draw();
}

function endTrial() {
  trial.stop();
  trial = null;
  livePanel.hidden = true;
  tryButton.setAttribute("aria-pressed", "false");
  show(ply);
}

class Trial {
  selected = null;
  promotion = null;
  found = [];
  #text = "";
  #info = null;
  #search = null;

  /** The position shown, as after `position` in USI. */
  text() {
    if (!line) return `sfen ${steps[ply].sfen}`;
    return line.index ? `sfen ${line.sfen} moves ${line.moves.slice(0, line.index).join(" ")}` : `sfen ${line.sfen}`;
  }

  arrows() {
    return this.found.filter(Boolean).slice(0, 2).map((item, index) => [item.pv[0], index ? "second" : "best"]).reverse();
  }

  targets() {
    if (this.selected === null) return [];
    const from = typeof this.selected === "string" ? `${this.selected}*` : squareName(this.selected);
    return this.#info.legal.filter((move) => move.startsWith(from)).map((move) => square(move.slice(2)));
  }

  choose = (target) => {
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

  play(move) {
    this.selected = this.promotion = null;
    const before = line ? { sfen: line.sfen, moves: line.moves.slice(0, line.index), japanese: line.japanese.slice(0, line.index) } : { sfen: steps[ply].sfen, moves: [], japanese: [] };
    const [name] = rules.names(this.text(), [move]);
    const moves = [...before.moves, move];
    show(ply, { sfen: before.sfen, moves, japanese: [...before.japanese, name], index: moves.length, label: w.trial });
  }

  /** Called when the page is drawn: searches the position if it is another one. */
  changed() {
    const text = this.text();
    if (text === this.#text) return this.panel();
    this.#text = text;
    this.#info = rules.position(text);
    this.found = [];
    this.selected = this.promotion = null;
    this.stop();
    if (this.#info.legal.length) {
      this.#search = engine.search(text, { multipv: 2 }, (info) => {
        if (this.#text !== text || trial !== this || info.bound !== "exact" || !info.pv.length) return;
        const before = JSON.stringify(this.arrows());
        if (info.multipv === 1) this.found.length = 1;
        this.found[info.multipv - 1] = info;
        if (JSON.stringify(this.arrows()) !== before) drawBoard();
        this.rows();
      });
      this.#search.catch(() => {});
    }
    drawBoard();
    return this.panel();
  }

  stop() {
    this.#search?.stop();
    this.#search = null;
  }

  panel() {
    const button = (word, action) => make("button", { type: "button", onclick: action }, word);
    const buttons = this.promotion
      ? [button(w.promote, () => this.play(this.promotion[0])), button(w.stay, () => this.play(this.promotion[1]))]
      : [button(w.engineMove, () => this.found[0] && this.play(this.found[0].pv[0])), button(w.takeBack, () => go("previous")), button(w.endTrial, endTrial)];
    livePanel.replaceChildren(make("div", { class: "buttons" }, ...buttons), make("ol"), make("p", { class: "depth" }));
    this.rows();
  }

  rows() {
    const sign = this.#info.turn === "b" ? 1 : -1;
    const value = ({ score }) => evaluation(score.mate === undefined ? { cp: sign * score.cp } : { mate: sign * score.mate }, this.#info.turn);
    const best = this.found[0];
    livePanel.querySelector("ol").replaceChildren(...this.found.filter(Boolean).map((info) => make("li", {}, make("span", { class: "score" }, value(info)), " ", spelledLine(this.#info.sfen, info.pv.slice(0, 12), rules.names(this.#text, info.pv.slice(0, 12))).join(" "))));
    livePanel.querySelector("p").textContent = best ? `${w.depth} ${best.depth} · ${best.nodes.toLocaleString()} ${w.nodes}` : this.#info.legal.length ? w.trialHint : w.gameOver;
  }
}
frame();
