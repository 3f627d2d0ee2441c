// The tabs that set up positions and solve mate problems.
const START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
const TSUME = "4k4/9/9/9/9/9/9/9/9 b 2r2b4g4s4n4l18p 1";
const PIECES = ["K", "R", "+R", "B", "+B", "G", "S", "+S", "N", "+N", "L", "+L", "P", "+P"];
const setup = { position: parse(START), piece: null };
const problem = { text: "", moves: [], names: [], index: 0 };

const setupSfen = () => toSfen(setup.position, 1);
const setupText = () => `sfen ${setupSfen()}`;

function takeSetup(sfen) {
  setup.position = parse(sfen);
  draw();
}

/** The position set up if the rules allow it; reports the fault otherwise. */
function usableSetup() {
  try {
    rules.position(setupText());
    return setupText();
  } catch (error) {
    say(w.positionFault(error.message), true);
    return null;
  }
}

function editSquare(target) {
  if (tab !== "setup" || typeof target === "string") return tab === "setup";
  const row = setup.position.board[target.y];
  const there = row[target.x];
  const wanted = setup.piece;
  const same = there && wanted && there.kind === wanted.kind && there.white === wanted.white;
  row[target.x] = !wanted || same ? null : { ...wanted };
  setup.position.from = setup.position.to = null;
  draw();
  return true;
}

function drawSetup() {
  const button = (piece, label, content) => {
    const chosen = JSON.stringify(piece) === JSON.stringify(setup.piece);
    const element = make("button", { type: "button", "aria-pressed": String(chosen), "aria-label": label, title: label, onclick: () => { setup.piece = piece; drawSetup(); } });
    element.append(content);
    return element;
  };
  const koma1 = (piece) => shape("svg", { viewBox: "-48 -52 96 104", "aria-hidden": "true" }, koma(piece.kind, piece.white, piece.white));
  const row = (white) => PIECES.map((kind) => ({ kind, white })).map((piece) => button(piece, "▲△"[Number(white)] + KANJI[piece.kind], koma1(piece)));
  at("palette").replaceChildren(make("div", {}, ...row(false)), make("div", {}, ...row(true)), make("div", {}, button(null, w.erase, `✕ ${w.erase}`)));
  const change = (color, kind, by) => {
    const held = setup.position.held[color];
    held[kind] = Math.max(0, Math.min(18, (held[kind] || 0) + by));
    draw();
  };
  at("hands").replaceChildren(...[0, 1].map((color) => make("div", { class: "hand" }, make("span", { class: "mark" }, "▲△"[color]), ...HAND.map((kind) => make("span", { class: "count-field" },
    make("button", { type: "button", "aria-label": `${w.handOf(w.names[color], KANJI[kind])} -1`, onclick: () => change(color, kind, -1) }, "−"),
    make("b", {}, `${KANJI[kind]}${setup.position.held[color][kind] || 0}`),
    make("button", { type: "button", "aria-label": `${w.handOf(w.names[color], KANJI[kind])} +1`, onclick: () => change(color, kind, 1) }, "+"))))));
  at("setup-turn").value = setup.position.white ? "w" : "b";
  if (document.activeElement !== at("sfen-field")) at("sfen-field").value = setupSfen();
}

/** The text of the problem, with the moves of its solution that are shown. */
function problemText() {
  const moves = problem.moves.slice(0, problem.index);
  return moves.length ? `${problem.text} moves ${moves.join(" ")}` : problem.text;
}

function openProblem(text) {
  Object.assign(problem, { text, moves: [], names: [], index: 0 });
  at("mate-answer").textContent = "";
  at("mate-sfen").value = text.replace(/^sfen /, "");
  openTab("mate");
}

async function solve() {
  const sfen = at("mate-sfen").value.trim().replace(/^(position )?(sfen )?/, "");
  const text = `sfen ${sfen}`;
  try {
    rules.position(text);
  } catch (error) {
    return say(w.positionFault(error.message), true);
  }
  Object.assign(problem, { text, moves: [], names: [], index: 0 });
  at("mate-answer").textContent = w.solving;
  at("mate-start").disabled = true;
  draw();
  try {
    await stopHints();
    const { mate, moves } = await engine.mate(text, Number(at("mate-limit").value));
    at("mate-answer").textContent = mate ? w.mateFound(moves.length) : mate === false ? w.noMate : w.unknown;
    if (mate) Object.assign(problem, { moves, names: rules.names(text, moves) });
    say("");
  } catch (error) {
    at("mate-answer").textContent = "";
    say(error.message, true);
  }
  at("mate-start").disabled = false;
  return draw();
}

function drawProblem() {
  at("mate-line").replaceChildren(...problem.names.map((name, index) => make("li", {}, make("button", {
    type: "button", class: problem.index === index + 1 ? "move now" : "move", onclick: () => { problem.index = index + 1; draw(); },
  }, name))));
}

function startSetup() {
  at("setup-turn").addEventListener("change", () => { setup.position.white = at("setup-turn").value === "w"; draw(); });
  at("setup-start").addEventListener("click", () => takeSetup(START));
  at("setup-empty").addEventListener("click", () => takeSetup(TSUME));
  at("sfen-form").addEventListener("submit", (event) => {
    event.preventDefault();
    try {
      takeSetup(rules.position(`sfen ${at("sfen-field").value.trim().replace(/^(position )?(sfen )?/, "")}`).sfen);
      say("");
    } catch (error) {
      say(w.positionFault(error.message), true);
    }
  });
  at("setup-play").addEventListener("click", () => {
    const text = usableSetup();
    if (!text) return;
    game.setUp(text);
    at("handicap").value = "";
    openTab("play");
    newGame(text);
  });
  at("setup-hint").addEventListener("click", () => {
    if (!usableSetup()) return;
    at("hint").checked = true;
    updateHints();
  });
  at("setup-mate").addEventListener("click", () => {
    const text = usableSetup();
    if (!text) return;
    openProblem(text);
    solve();
  });
  at("mate-start").addEventListener("click", solve);
  at("mate-form").addEventListener("submit", (event) => { event.preventDefault(); solve(); });
}
