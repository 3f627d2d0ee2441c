// What is kept over a reload: the game, the settings and the look; and what can be shared.
import { BOARD_HEIGHT, HAND, drawPosition } from "../../kifu/analysis/src/output/report/board.js";
import { at, chooseLanguage, language, make, save, shape, w } from "../../kifu/analysis/src/output/report/page.js";
import { BOARDS, PIECE_SETS, koma, look } from "../../kifu/analysis/src/output/report/pieces.js";
import { archiveGame } from "./archive.js";
import { flipped, game, shown, shownPosition, shownText, tab } from "./app.js";
import { draw, drawLines, lastMoveName, nameOf, say } from "./view.js";

export const SETTINGS = ["human", "level", "handicap", "clock", "per-move", "mate-limit", "nodes", "line-count"];
export const kept = {
  settings: {},
  look: {},
  autoLevel: 4,
  sound: false,
  speech: false,
  voices: {}, // by language
  hint: false,
  mates: [],
  solved: [],
  options: {}, // of the native engine
};

export function readKept() {
  try {
    const stored = JSON.parse(localStorage.getItem("monomi"));
    Object.assign(kept, stored);
    if (stored?.language) chooseLanguage(stored.language);
    return stored?.game ?? null;
  } catch {
    // Nothing was stored, or the browser lets pages from files store nothing.
    return null;
  }
}

export function keep() {
  archiveGame();
  SETTINGS.forEach((id) => {
    if (at(id).options.length) kept.settings[id] = at(id).value;
  });
  try {
    localStorage.setItem("monomi", JSON.stringify({ ...kept, language, game: game.info ? game.saved() : null }));
  } catch {
    // As above.
  }
}

/** Shows the kept settings in the fields. */
export function showKept() {
  SETTINGS.forEach((id) => {
    const value = kept.settings[id];
    if (value !== undefined && [...at(id).options].some((option) => option.value === value)) at(id).value = value;
  });
  at("per-move-field").hidden = at("clock").value !== "";
  at("sound").checked = kept.sound;
  at("hint").checked = kept.hint;
}

/** Applies the chosen pieces, board and notation. */
export function applyLook() {
  const known = (list, value) => (list.includes(value) ? value : list[0]);
  const board = known(BOARDS, kept.look.board);
  look.pieces = known(PIECE_SETS, kept.look.pieces);
  look.notation = kept.look.notation ?? "";
  document.documentElement.dataset.board = board;
  for (const [id, value] of [
    ["look-pieces", look.pieces],
    ["look-board", board],
    ["look-notation", look.notation],
  ])
    at(id).value = value;
  drawSample();
}

/** A few squares with the chosen pieces and board, for where the board is out of sight. */
function drawSample() {
  const rows = [
    ["K", "R", "B", "G", "S", "N", "L", "P"],
    ["K", "+R", "+B", "G", "+S", "+N", "+L", "+P"],
  ];
  const place = (kind, row, column) =>
    shape(
      "g",
      { transform: `translate(${column * 96 + 56} ${row * 104 + 60})` },
      koma(kind, row === 0, row === 0),
    );
  const lines = [...Array(9).keys()].map((n) => `M${n * 96 + 8} 8v208`).join("");
  at("look-sample").replaceChildren(
    shape("rect", { class: "wood", width: 784, height: 224, rx: 8 }),
    shape("rect", { class: "to", x: 200, y: 112, width: 96, height: 104 }),
    shape("path", { class: "grid", d: `${lines}M8 8h768M8 112h768M8 216h768` }),
    ...rows.flatMap((kinds, row) => kinds.map((kind, column) => place(kind, row, column))),
  );
}

export function listenLook() {
  for (const key of ["pieces", "board", "notation"]) {
    at(`look-${key}`).addEventListener("change", () => {
      kept.look[key] = at(`look-${key}`).value;
      applyLook();
      keep();
      draw();
      drawLines();
    });
  }
  at("sound").addEventListener("change", () => {
    kept.sound = at("sound").checked;
    keep();
    knock();
  });
}

let audio = null;

/** The sound of a piece put on the board, if sound is wanted: a short noise through a filter. */
export function knock() {
  if (!kept.sound || typeof AudioContext === "undefined") return;
  audio ??= new AudioContext();
  const length = Math.floor(audio.sampleRate * 0.06);
  const buffer = audio.createBuffer(1, length, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < length; i++) samples[i] = (Math.random() * 2 - 1) * Math.exp((-i / length) * 9);
  const source = new AudioBufferSourceNode(audio, { buffer });
  const filter = new BiquadFilterNode(audio, { type: "bandpass", frequency: 1500, Q: 1.4 });
  source
    .connect(filter)
    .connect(new GainNode(audio, { gain: 0.9 }))
    .connect(audio.destination);
  source.start();
}

/** Asks with a dialog; resolves to whether the first answer was chosen. */
export function ask(text, yes, no = w.cancel) {
  const dialog = at("ask");
  const answer = (word, value, className) =>
    make("button", { type: "button", class: className, onclick: () => dialog.close(value) }, word);
  dialog.replaceChildren(
    make("p", { id: "ask-text" }, text),
    make("div", { class: "buttons" }, answer(yes, "yes", "primary"), answer(no, "")),
  );
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    const closed = () => {
      // The event of a question before this one may come late.
      if (dialog.open) return;
      dialog.removeEventListener("close", closed);
      resolve(dialog.returnValue === "yes");
    };
    dialog.addEventListener("close", closed);
  });
}

export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    say(w.copied);
  } catch {
    say(w.notCopied, true);
  }
}

/** The address of this page with a game or a position in it. */
export function shareAddress() {
  const text = tab === "play" ? game.text() : shownText();
  const place = tab === "play" && shown < game.moves.length ? `&ply=${shown}` : "";
  return `${location.href.split("#")[0]}#usi=${text.replaceAll(" ", "_")}${place}`;
}

/** The game in the address of the page: `{ start, moves, ply }`, or null. */
export function sharedGame() {
  const fields = new Map(
    location.hash
      .slice(1)
      .split("&")
      .map((field) => field.split("="))
      .filter((pair) => pair.length === 2),
  );
  if (!fields.has("usi")) return null;
  const [start, moves] = decodeURIComponent(fields.get("usi")).replaceAll("_", " ").split(" moves ");
  return {
    start: start.trim(),
    moves: moves ? moves.trim().split(/\s+/) : [],
    ply: fields.has("ply") ? Number(fields.get("ply")) : null,
  };
}

const IMAGE_STYLES = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-linecap",
  "stroke-linejoin",
  "font-size",
  "font-weight",
  "font-family",
  "opacity",
  "text-anchor",
];

/** The position shown as a picture with both hands, the names and the last move: a canvas. */
async function positionImage() {
  const position = shownPosition();
  const drawing = shape("svg", { viewBox: "0 0 936 1354", width: 936, height: 1354, class: "picture" });
  const board = shape("svg", { y: 180, width: 936, height: BOARD_HEIGHT });
  drawPosition(board, position, { flipped });
  drawing.append(shape("rect", { class: "paper", width: 936, height: 1354 }), board);
  [0, 1].forEach((color) => {
    const above = (color === 1) !== flipped;
    const y = above ? 120 : 1234;
    const name = [...nameOf(color)].slice(0, 24).join("");
    drawing.append(
      shape("text", { class: "picture-text", x: 20, y: y + 14, "font-size": 40 }, "▲△"[color]),
      shape("text", { class: "picture-text", x: 20, y: above ? 50 : 1330, "font-size": 36 }, name),
    );
    let x = 110;
    for (const kind of HAND.filter((held) => position.held[color][held] > 0)) {
      drawing.append(
        shape("g", { transform: `translate(${x} ${y})` }, koma(kind, color === 1, (color === 1) !== flipped)),
      );
      if (position.held[color][kind] > 1)
        drawing.append(
          shape(
            "text",
            { class: "picture-text", x: x + 44, y: y + 40, "font-size": 40 },
            String(position.held[color][kind]),
          ),
        );
      x += position.held[color][kind] > 1 ? 122 : 92;
    }
  });
  const move = lastMoveName();
  if (move)
    drawing.append(
      shape("text", { class: "picture-text", x: 916, y: 1330, "font-size": 36, "text-anchor": "end" }, move),
    );
  // The styles of the page become attributes, as a picture has no style sheet.
  document.body.append(drawing);
  for (const element of drawing.querySelectorAll("*")) {
    const style = getComputedStyle(element);
    IMAGE_STYLES.forEach((name) => element.setAttribute(name, style.getPropertyValue(name)));
  }
  drawing.remove();
  const picture = new Image();
  const text = encodeURIComponent(new XMLSerializer().serializeToString(drawing));
  picture.src = `data:image/svg+xml;charset=utf-8,${text}`;
  await picture.decode();
  const canvas = make("canvas", { width: 936, height: 1354 });
  canvas.getContext("2d").drawImage(picture, 0, 0);
  return canvas;
}

export async function saveImage() {
  const canvas = await positionImage();
  canvas.toBlob((blob) => save(blob, "monomi.png", "image/png"));
}
