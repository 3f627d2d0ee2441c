// The page of `monomi csa --page`: asks the program for the game's state twice a second and shows it.

const INTERVAL = 500;
/** Scores beyond this are at the edge of the graph. In centipawns. */
const EDGE = 2000;

/** @param {string} id */
const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * A side: "black" or "white".
 * @typedef {{ text: string, ms: number | null, score: string, cp: number | null, depth: number | null }} Played
 * @typedef {{ score: string, depth: number, nodes: number, line: string, pondering: boolean }} Thought
 * @typedef {{ id: string, names: Record<string, string>, us: string, board: string, to_move: string, running: boolean,
 *     left_ms: Record<string, number>, turn_ms: number, moves: Played[], thought: Thought | null }} Game
 * @typedef {{ status: string, results: string, log: string[], game: Game | null }} State
 */

/** @param {number} ms */
function clock(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** What was shown last, so that only changes are drawn: a selection in the page stays. */
let drawn = { board: "", moves: -1, game: "", log: "" };

/** @param {Game} game */
function showSides(game) {
  const upper = game.us === "black" ? "white" : "black";
  for (const [id, side] of [["upper", upper], ["lower", game.us]]) {
    const place = element(id);
    const runs = game.running && game.to_move === side;
    const left = game.left_ms[side] - (runs ? game.turn_ms : 0);
    const [name, time] = place.children;
    name.textContent = `${side === "black" ? "☗" : "☖"} ${game.names[side]}`;
    time.textContent = clock(left);
    place.classList.toggle("running", runs);
  }
}

/** @param {Played[]} moves */
function showMoves(moves) {
  const rows = moves.map((played, index) => {
    const row = document.createElement("tr");
    const time = played.ms === null ? "" : clock(played.ms);
    for (const text of [index + 1, played.text, time, played.score, played.depth ?? ""]) {
      row.append(Object.assign(document.createElement("td"), { textContent: text }));
    }
    return row;
  });
  element("moves").replaceChildren(...rows);
  const list = element("list");
  list.scrollTop = list.scrollHeight;
  const points = moves.flatMap(({ cp }, index) => {
    if (cp === null) return [];
    const y = 50 - 50 * Math.max(-1, Math.min(1, cp / EDGE));
    return [`${(100 * index) / Math.max(1, moves.length - 1)} ${y}`];
  });
  element("curve").setAttribute("d", points.length > 0 ? `M${points.join("L")}` : "");
}

/** @param {State} state */
function show(state) {
  const { game, log } = state;
  element("status").textContent = state.status;
  element("results").textContent = state.results;
  const lines = log.join("\n");
  if (lines !== drawn.log) {
    const item = (/** @type {string} */ text) => Object.assign(document.createElement("li"), { textContent: text });
    element("log").replaceChildren(...log.map(item));
  }
  for (const id of ["left", "played"]) element(id).hidden = game === null;
  element("thinking").hidden = !game?.thought;
  element("game").textContent = game?.id ?? "";
  if (game) {
    // The program's own drawing: it contains no text of others.
    if (game.board !== drawn.board) element("board").innerHTML = game.board;
    showSides(game);
    if (game.id !== drawn.game || game.moves.length !== drawn.moves) showMoves(game.moves);
    if (game.thought) {
      const { score, depth, nodes, line, pondering } = game.thought;
      element("score").textContent = `${score}  d${depth}  ${nodes.toLocaleString()}${pondering ? "  ponder" : ""}`;
      element("line").textContent = line;
    }
  }
  drawn = { board: game?.board ?? "", moves: game?.moves.length ?? -1, game: game?.id ?? "", log: lines };
}

async function ask() {
  try {
    const answer = await fetch("state");
    if (!answer.ok) throw new Error(String(answer.status));
    show(await answer.json());
    element("lost").hidden = true;
  } catch {
    element("lost").hidden = false;
  }
  setTimeout(ask, INTERVAL);
}

await ask();

export {}; // A module, whose types are its own.
