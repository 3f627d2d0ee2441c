// The app: loads the engine, shows a position and plays.
let rules = null; // Engine in this thread: legal moves, names, records
let engine = null; // WorkerEngine: searches
const game = new Game();
let tab = "play";
let shown = 0;
let flipped = false;
let thinking = false;
let turnToken = 0;
let hints = null; // the search that shows lines
let hintToken = 0;
let lines = [];

function say(text, alarm = false) {
  at("status").textContent = text;
  at("status").classList.toggle("alarm", alarm);
}

const nameOf = (color) => (tab !== "play" || !game.active && !game.result ? w.names[color] : color === game.human ? w.you : w.monomi);

/** The text of the position shown. */
function shownText() {
  if (tab === "setup") return setupText();
  if (tab === "mate" && problem.text) return problemText();
  return game.text(shown);
}

/** The position shown, with its last move marked. */
function shownPosition() {
  if (tab === "setup") return setup.position;
  const [start, moves] = shownText().split(" moves ");
  const position = parse(start === "startpos" ? START : start.replace("sfen ", ""));
  (moves ? moves.split(" ") : []).forEach((move) => play(position, move));
  return position;
}

const mayMove = () => tab === "play" && rules && shown === game.moves.length && !thinking && !game.result && (!game.active || game.turn() === game.human);

const input = new BoardInput(at("board"), {
  position: shownPosition, flipped: () => flipped, draw: () => drawBoard(), edit: editSquare,
  legal: () => (mayMove() ? game.info.legal : []),
  play: playMove,
  announce: (point) => {
    const piece = shownPosition().board[point.y][point.x];
    say(`${9 - point.x}${RANKS[point.y]} ${piece ? "▲△"[Number(piece.white)] + KANJI[piece.kind] : w.emptySquare}`);
  },
});

/** The best moves of the engine's lines for the position shown. */
function arrows() {
  if (!at("hint").checked || lines[0]?.text !== shownText()) return [];
  return lines.slice(0, 2).map((line, index) => [line.pv[0], index ? "second" : "best"]).reverse();
}

function drawBoard() {
  const position = shownPosition();
  drawPosition(at("board"), position, {
    flipped, arrows: arrows(), selected: typeof input.selected === "object" ? input.selected : null, targets: input.targets(), cursor: input.cursor,
  });
  at("board").setAttribute("aria-label", describe(position, w));
  ["side-top", "side-bottom"].forEach((id, index) => {
    const color = (index === 0) === flipped ? 0 : 1;
    const mine = mayMove() && (position.white ? 1 : 0) === color;
    const pieces = drawHand(position.held[color], color === 1, (color === 1) !== flipped).map((svg, place) => {
      const kind = HAND.filter((held) => position.held[color][held] > 0)[place];
      const button = make("button", { type: "button", class: input.selected === kind && mine ? "chosen" : "", "aria-label": `${KANJI[kind]} ${position.held[color][kind]}`, onclick: () => mine && input.choose(kind) });
      button.disabled = !mine;
      button.append(svg);
      return button;
    });
    at(id).className = (position.white ? 1 : 0) === color ? "side turn" : "side";
    at(id).replaceChildren(make("span", { class: "name" }, "▲△"[color] + nameOf(color)), make("span", { class: "clock", id: `clock-${color}` }), make("span", { class: "pieces" }, ...pieces));
  });
  drawClocks();
  const asked = input.choice;
  at("promotion").hidden = !asked;
  if (asked) {
    const button = (word, action) => make("button", { type: "button", onclick: action }, word);
    at("promotion").replaceChildren(make("span", {}, w.promoteAsk), button(w.promote, () => playMove(asked[0])), button(w.stay, () => playMove(asked[1])),
      button(w.cancel, () => { input.clear(); drawBoard(); }));
    at("promotion").querySelector("button").focus();
  }
}

function drawClocks() {
  for (const color of [0, 1]) {
    const element = at(`clock-${color}`);
    if (!element) continue;
    const on = tab === "play" && game.clock && (game.active || game.result);
    const main = on ? game.time(color) : 0;
    const seconds = Math.max(0, Math.ceil((main > 0 ? main : main + game.clock?.byoyomi) / 1000));
    element.textContent = on ? clock(seconds) : "";
    element.classList.toggle("low", on && game.running?.color === color && seconds <= 10);
  }
}

function draw() {
  if (!rules) return;
  drawBoard();
  const end = tab === "mate" ? problem.moves.length : game.moves.length;
  const place = tab === "mate" ? problem.index : shown;
  const name = tab === "mate" ? problem.names[place - 1] : game.names[place - 1];
  at("where").textContent = tab === "setup" ? "" : place ? `${place} ${name}` : w.start;
  document.querySelectorAll("nav [data-go]").forEach((button) => {
    button.disabled = tab === "setup" || (["first", "previous"].includes(button.dataset.go) ? place === 0 : place === end);
  });
  if (tab === "setup") drawSetup();
  if (tab === "mate") drawProblem();
  if (tab === "play") {
    at("moves").replaceChildren(...game.names.map((move, index) => {
      const row = make("button", { type: "button", class: "row", onclick: () => show(index + 1) }, make("span", { class: "number" }, String(index + 1)), make("span", { class: "name" }, move));
      if (index + 1 === shown) row.setAttribute("aria-current", "true");
      return make("li", {}, row);
    }));
    const current = at("moves").querySelector("[aria-current]");
    if (current) at("moves").scrollTop = current.offsetTop - at("moves").clientHeight / 2;
    at("undo").disabled = !game.moves.length;
    at("resign").disabled = !game.active;
    at("declare").hidden = !(mayMove() && game.active && game.info.declaration);
    at("analyse-game").disabled = !game.moves.length;
    if (!input.cursor) say(status());
  }
}

function status() {
  if (game.result) {
    const { winner, how } = game.result;
    return winner === null ? w.drawn : w.won(nameOf(winner), w[how]);
  }
  if (thinking) return w.thinking;
  if (!game.active) return game.moves.length ? "" : w.ready;
  return w.yourTurn + (game.info.check ? " (王手)" : "");
}

function show(ply) {
  if (tab === "mate") problem.index = Math.max(0, Math.min(problem.moves.length, ply));
  else shown = Math.max(0, Math.min(game.moves.length, ply));
  input.clear();
  draw();
  updateHints();
}

function go(where) {
  if (tab === "setup" || !rules) return;
  const [now, end] = tab === "mate" ? [problem.index, problem.moves.length] : [shown, game.moves.length];
  show({ first: 0, previous: now - 1, next: now + 1, last: end }[where]);
}

function playMove(move) {
  input.clear();
  try {
    game.play(move);
  } catch {
    return say(w.illegal(move), true);
  }
  shown = game.moves.length;
  keep();
  draw();
  updateHints();
  return engineMoves();
}

async function engineMoves() {
  if (!game.active || game.turn() === game.human) return;
  const token = ++turnToken;
  thinking = true;
  draw();
  const since = performance.now();
  try {
    await stopHints();
    const { move } = await engine.search(game.text(), game.limits());
    // An answer at once looks like a jump.
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, 300 - (performance.now() - since))));
    if (token !== turnToken || !game.active) return;
    thinking = false;
    if (move === "resign") game.finish(game.human, "resignEnd");
    else if (move === "win") game.finish(1 - game.human, "declareEnd");
    else game.play(move);
    shown = game.moves.length;
  } catch (error) {
    if (token !== turnToken) return;
    thinking = false;
    say(error.message, true);
    return;
  }
  keep();
  draw();
  updateHints();
}

/** Ends the search for a move, if there is one. */
async function interrupt() {
  turnToken++;
  if (thinking) {
    thinking = false;
    await engine.restart();
  }
}

async function newGame(start) {
  await interrupt();
  const side = Number(at("human").value);
  game.human = side === 2 ? Math.floor(Math.random() * 2) : side;
  game.level = Number(at("level").value);
  game.perMove = Number(at("per-move").value);
  const [main, byoyomi, increment] = at("clock").value.split(",").map(Number);
  game.clock = at("clock").value ? { main: main * 60000, byoyomi: byoyomi * 1000, increment: increment * 1000 } : null;
  game.setUp(start);
  flipped = game.human === 1;
  at("flip").setAttribute("aria-pressed", String(flipped));
  shown = 0;
  input.clear();
  engine.newGame().catch(() => {});
  game.begin();
  keep();
  draw();
  updateHints();
  await engineMoves();
}

async function takeBack() {
  await interrupt();
  const plies = game.turn() === game.human && game.moves.length > 1 ? 2 : 1;
  game.undo(plies);
  shown = game.moves.length;
  keep();
  draw();
  updateHints();
  engineMoves();
}

async function stopHints() {
  hintToken++;
  const search = hints;
  hints = null;
  if (!search) return;
  search.stop();
  await search.catch(() => {});
}

/** Shows the engine's lines for the position shown, if wanted. */
async function updateHints() {
  await stopHints();
  const token = hintToken;
  lines = [];
  drawLines();
  if (!engine || !at("hint").checked || thinking) return;
  const text = shownText();
  try {
    if (rules.position(text).legal.length === 0) return;
  } catch {
    return;
  }
  hints = engine.search(text, { multipv: 3 }, (info) => {
    if (token !== hintToken || info.bound !== "exact" || !info.pv.length) return;
    const before = arrows().join();
    lines[info.multipv - 1] = { text, ...info };
    if (info.multipv === 1) lines.length = 1;
    drawLines();
    // Drawing replaces the pieces in hand, and with them a click that has half been made.
    if (arrows().join() !== before) drawBoard();
  });
  hints.catch((error) => { if (token === hintToken) say(error.message, true); });
}

function drawLines() {
  const turn = lines[0] ? rules.position(lines[0].text).turn : "b";
  const sign = turn === "b" ? 1 : -1;
  const value = ({ score }) => (score.cp === undefined ? `${(score.mate > 0) === (turn === "b") ? "▲" : "△"}${w.mateIn(Math.abs(score.mate))}` : (score.cp * sign > 0 ? "+" : "") + score.cp * sign);
  at("lines").replaceChildren(...lines.filter(Boolean).map((line) => make("li", {}, make("span", { class: "score" }, value(line)),
    make("span", { class: "line" }, rules.names(line.text, line.pv.slice(0, 10)).join(" ")))),
  ...(lines[0] ? [make("li", {}, make("span", { class: "about" }, `${w.depthWord} ${lines[0].depth} · ${lines[0].nodes.toLocaleString()} ${w.nodesWord} · ${Math.round(lines[0].nps / 1000)}k/s`))] : []));
}

function openTab(name) {
  tab = name;
  for (const button of document.querySelectorAll("[role=tab]")) {
    const here = button.id === `tab-${name}`;
    button.setAttribute("aria-selected", String(here));
    button.tabIndex = here ? 0 : -1;
    at(button.getAttribute("aria-controls")).hidden = !here;
  }
  at("hints").hidden = name === "analyse";
  document.body.dataset.tab = name;
  input.clear();
  say("");
  draw();
  updateHints();
}

function keep() {
  try {
    localStorage.setItem("monomi", JSON.stringify({ game: game.saved(), language }));
  } catch {
    // The browser might not let pages from files store anything.
  }
}

function kept() {
  try {
    return JSON.parse(localStorage.getItem("monomi"));
  } catch {
    return null;
  }
}

function save(text, name, type) {
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    say(w.copied);
  } catch {
    say(w.notCopied, true);
  }
}

function frame() {
  translate();
  at("move-field").placeholder = w.moveHint;
  const fill = (id, list, value) => {
    const before = at(id).value || value;
    at(id).replaceChildren(...list.map(([key, word]) => make("option", key === "" ? {} : { value: key }, word)));
    [...at(id).options].forEach((option, index) => { option.value = list[index][0]; });
    at(id).value = before;
  };
  fill("level", [...Array(20).keys()].map((n) => [String(n), w.levelOf(n + 1)]).concat([["20", w.full]]), "5");
  fill("clock", [["", w.noClock], ["10,30,0", `10${w.minutes} + ${w.byoyomi} ${w.secondsOf(30)}`], ["5,0,5", `5${w.minutes} + ${w.increment} ${w.secondsOf(5)}`], ["0,30,0", `${w.byoyomi} ${w.secondsOf(30)}`], ["3,0,0", `3${w.minutes}`]], "");
  fill("per-move", ["1", "3", "10"].map((n) => [n, w.secondsOf(n)]), "1");
  fill("mate-limit", ["10000", "60000", "600000"].map((n) => [n, w.secondsOf(n / 1000)]), "10000");
  if (rules) fill("handicap", rules.handicaps().filter(([name]) => name !== "飛落ち").map(([name, sfen]) => [sfen, w.handicapName(name)]), START);
  draw();
}

function listen() {
  document.querySelectorAll("[role=tab]").forEach((button) => {
    button.addEventListener("click", () => openTab(button.id.slice(4)));
    button.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      event.stopPropagation();
      const all = [...document.querySelectorAll("[role=tab]")];
      const next = all[(all.indexOf(button) + step + all.length) % all.length];
      openTab(next.id.slice(4));
      next.focus();
    });
  });
  document.querySelectorAll("[data-go]").forEach((button) => button.addEventListener("click", () => rules && go(button.dataset.go)));
  at("language").addEventListener("click", () => { language = language === "ja" ? "en" : "ja"; frame(); keep(); });
  at("flip").addEventListener("click", () => { flipped = !flipped; at("flip").setAttribute("aria-pressed", String(flipped)); drawBoard(); });
  at("hint").addEventListener("change", updateHints);
  at("settings").addEventListener("submit", (event) => { event.preventDefault(); newGame(at("handicap").value === START || !at("handicap").value ? "startpos" : `sfen ${at("handicap").value}`); });
  at("clock").addEventListener("change", () => { at("per-move-field").hidden = at("clock").value !== ""; });
  at("undo").addEventListener("click", takeBack);
  at("resign").addEventListener("click", async () => { await interrupt(); game.finish(1 - game.human, "resignEnd"); keep(); draw(); });
  at("declare").addEventListener("click", () => { game.finish(game.human, "declareEnd"); keep(); draw(); });
  at("move-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const move = at("move-field").value.trim();
    if (!mayMove() || !game.info.legal.includes(move)) return say(w.illegal(move || "?"), true);
    at("move-field").value = "";
    return playMove(move);
  });
  at("copy-kif").addEventListener("click", () => copy(rules.kif(game.text(), [0, 1].map(nameOf), game.ending())));
  at("copy-sfen").addEventListener("click", () => copy(rules.position(shownText()).sfen));
  at("analyse-game").addEventListener("click", () => {
    at("record-text").value = rules.kif(game.text(), [0, 1].map(nameOf), game.ending());
    analysis.file = null;
    openTab("analyse");
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || ["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName) || !at("report").hidden) return;
    const where = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" }[event.key];
    if (where) {
      event.preventDefault();
      go(where);
    } else if (event.key === "f") at("flip").click();
  });
  setInterval(() => {
    if (game.checkTime()) {
      interrupt();
      keep();
      draw();
    } else if (game.running) drawClocks();
  }, 200);
  addEventListener("pagehide", keep);
}

async function start() {
  const before = kept();
  if (before?.language) language = before.language;
  listen();
  startAnalysis();
  startSetup();
  frame();
  at("tab-play").setAttribute("aria-selected", "true");
  drawPosition(at("board"), parse(START), { flipped });
  say(w.loading);
  // Nothing can be done without the rules.
  at("panel").inert = true;
  try {
    const source = typeof MONOMI === "undefined" ? { wasm: await compileModule("monomi.wasm"), worker: () => new Worker("worker.js") } : await embeddedEngine();
    [rules, engine] = await Promise.all([Engine.create(source), WorkerEngine.create(source)]);
  } catch (error) {
    return say(w.failed(error.message), true);
  }
  at("panel").inert = false;
  try {
    if (before?.game) game.restore(before.game);
    else game.setUp("startpos");
  } catch {
    game.setUp("startpos");
  }
  shown = game.moves.length;
  flipped = game.active && game.human === 1;
  frame();
  openTab("play");
  performance.mark("monomi-ready");
  if (location.protocol.startsWith("http") && "serviceWorker" in navigator && typeof MONOMI === "undefined") navigator.serviceWorker.register("service-worker.js").catch(() => {});
  return engineMoves();
}

start();
