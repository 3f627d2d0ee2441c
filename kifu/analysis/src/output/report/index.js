// The index of the reports of a folder: a table of the games, and a profile of each player.

/** @import { Cell, Row, Side } from "./types.d.ts" */
/** @typedef {{ file: string, cells: Cell[], sides: Side[], opening: [string, string] | null }} Game */

/**
 * @param {string} id
 * @returns {any}
 */
const at = (id) => document.getElementById(id);
/** @type {{ columns: Cell[], kinds: string[], games: Game[] }} */
const { columns, kinds, games } = JSON.parse(at("data").textContent);
// The accuracy and the mistakes beside the players, so that narrow windows show them.
const ORDER = [0, 3, 4, 5, 8, 9, 10, 11, 7, 1, 2, 6, 12];
let language = (navigator.language || "ja").startsWith("ja") ? "ja" : "en";
// A text in the chosen language, of a pair or of `日本語 / English`.
/**
 * @param {any} both
 * @returns {any}
 */
const text = (both) => (Array.isArray(both) ? both : both.split(" / "))[language === "ja" ? 0 : 1] ?? both;
/**
 * @param {Cell} value
 * @returns {any}
 */
const shown = (value) => (Array.isArray(value) ? text(value) : value);
/** @param {any[]} cells */
const inOrder = (cells) => ORDER.map((index) => cells[index]);
/** @param {unknown} path */
const baseName = (path) => String(path).split(/[\\/]/).pop() ?? "";
games.forEach((game) => {
  game.cells = inOrder(game.cells).map((cell, index) => (index ? cell : baseName(cell)));
});

// A table that is sorted by the column clicked.
class Table {
  /**
   * @param {string} id
   * @param {Cell[]} columns
   */
  constructor(id, columns) {
    /** @type {Row[]} */
    this.rows = [];
    this.head = at(id).querySelector("thead tr");
    this.body = at(id).querySelector("tbody");
    this.order = { column: -1, sign: 1 };
    this.columns = columns;
    columns.forEach((_, index) => {
      const cell = document.createElement("th");
      cell.scope = "col";
      const button = document.createElement("button");
      button.type = "button";
      button.addEventListener("click", () => {
        this.order = { column: index, sign: this.order.column === index ? -this.order.sign : 1 };
        this.draw();
      });
      cell.append(button);
      this.head.append(cell);
    });
  }

  // Rows are { cells, file }.
  /** @param {Row[]} rows */
  show(rows) {
    this.rows = rows;
    this.draw();
  }

  draw() {
    const sorted = [...this.rows];
    const { column, sign } = this.order;
    /** @param {unknown} value */
    const empty = (value) => value === null || value === "";
    if (column >= 0) {
      // Empty cells last, whatever the order.
      sorted.sort((a, b) => {
        const [x, y] = [shown(a.cells[column]), shown(b.cells[column])];
        if (empty(x) || empty(y)) return Number(empty(x)) - Number(empty(y));
        return sign * (typeof x === "number" ? x - y : String(x).localeCompare(String(y), "ja"));
      });
    }
    this.body.replaceChildren(
      ...sorted.map((item) => {
        const row = document.createElement("tr");
        item.cells.map(shown).forEach((value, index) => {
          const cell = document.createElement("td");
          if (typeof value === "number") cell.className = "number";
          if (index === 0 && item.file) {
            const link = document.createElement("a");
            link.href = encodeURIComponent(baseName(item.file));
            link.textContent = value;
            cell.append(link);
          } else {
            cell.textContent = value === null ? "–" : value;
            cell.title = cell.textContent;
            // The sentences about a game.
            if (cell.title.length > 40) cell.className = "long";
          }
          row.append(cell);
        });
        return row;
      }),
    );
    [...this.head.children].forEach((/** @type {any} */ cell, index) => {
      cell.firstChild.textContent = text(this.columns[index]);
      cell.setAttribute("aria-sort", index !== column ? "none" : sign > 0 ? "ascending" : "descending");
    });
  }
}

/**
 * @param {(number | null)[]} values
 * @returns {number | null}
 */
const mean = (values) => {
  const known = values.filter((value) => value !== null);
  return known.length ? Math.round((known.reduce((sum, value) => sum + value, 0) / known.length) * 10) / 10 : null;
};
const PROFILE = [
  "対局 / Games",
  "勝ち / Won",
  "負け / Lost",
  "精度 / Accuracy",
  "序盤 / Opening",
  "中盤 / Middle game",
  "終盤 / Endgame",
  "悪手（一局平均） / Mistakes per game",
  "詰み見逃し / Missed mates",
];
/**
 * @param {Side[]} sides
 * @returns {Cell[]}
 */
const profile = (sides) => [
  sides.length,
  sides.filter((side) => side.won === true).length,
  sides.filter((side) => side.won === false).length,
  mean(sides.map((side) => side.accuracy)),
  ...[0, 1, 2].map((phase) => mean(sides.map((side) => side.phases[phase]))),
  mean(sides.map((side) => side.mistakes)),
  sides.reduce((sum, side) => sum + side.missed_mates, 0),
];

// Items by key, in the order of their number.
/**
 * @param {Side[]} items
 * @param {(side: Side) => any} key
 * @returns {[any, Side[]][]}
 */
function groups(items, key) {
  const found = new Map();
  items.forEach((item) => {
    if (key(item)) found.set(key(item), [...(found.get(key(item)) || []), item]);
  });
  return [...found].sort((a, b) => b[1].length - a[1].length);
}

const sides = games.flatMap((game) => game.sides.map((side) => ({ ...side, opening: game.opening })));
const list = new Table("games", inOrder(columns));
function drawGames() {
  const wanted = at("filter").value.trim().toLowerCase();
  list.show(
    games.filter((game) =>
      game.cells.some((cell) =>
        String(shown(cell) ?? "")
          .toLowerCase()
          .includes(wanted),
      ),
    ),
  );
}
at("filter").addEventListener("input", drawGames);
const players = groups(sides, (side) => side.name);
const profiles = new Table("players", ["対局者 / Player", ...PROFILE]);
const drawPlayers = () => profiles.show(players.map(([name, all]) => ({ cells: [name, ...profile(all)] })));
const openings = new Table("openings", ["戦型・囲い / Opening or castle", ...PROFILE]);
["", ...players.map(([name]) => name)].forEach((name) => {
  const option = document.createElement("option");
  option.value = name;
  option.textContent = name;
  at("player").append(option);
});
// Bad moves by kind and phase: of one player or of all, so many per game, and how much they lose together.
const TYPICAL = [
  "悪手の種類 / Kind of mistake",
  "序盤 / Opening",
  "中盤 / Middle game",
  "終盤 / Endgame",
  "合計 / All",
  "一局平均 / Per game",
  "損失の合計 / Loss together (%)",
];
const typical = new Table("typical", TYPICAL);
/** @param {number} value */
const tenth = (value) => Math.round(value * 10) / 10;
/** @param {Side[]} own */
function drawTypical(own) {
  const all = own.flatMap((side) => side.typical);
  const rows = kinds.map((name, kind) => {
    const found = all.filter((mistake) => mistake.kind === kind);
    const loss = found.reduce((sum, mistake) => sum + mistake.loss, 0);
    return {
      loss,
      /** @type {any[]} */
      cells: [
        text(name),
        ...[0, 1, 2].map((phase) => found.filter((mistake) => mistake.phase === phase).length),
        found.length,
        tenth(found.length / Math.max(own.length, 1)),
        tenth(loss * 100),
      ],
    };
  });
  typical.show(rows.filter((row) => row.cells[4] > 0).sort((a, b) => b.loss - a.loss));
}
function drawOpenings() {
  const name = at("player").value;
  const own = sides.filter((side) => !name || side.name === name);
  const found = [...groups(own, (side) => shown(side.opening)), ...groups(own, (side) => shown(side.castle))];
  drawTypical(own);
  openings.show(found.map(([shape, all]) => ({ cells: [shape, ...profile(all)] })));
}
at("player").addEventListener("change", drawOpenings);
function draw() {
  document.documentElement.lang = language;
  at("language").textContent = language === "ja" ? "English" : "日本語";
  document.querySelectorAll("[data-text]").forEach((/** @type {any} */ part) => {
    part.textContent = text(part.dataset.text);
  });
  at("player").options[0].textContent = text("全員 / All");
  at("player").setAttribute("aria-label", text("対局者 / Player"));
  drawGames();
  drawPlayers();
  drawOpenings();
}
at("language").addEventListener("click", () => {
  language = language === "ja" ? "en" : "ja";
  draw();
});
draw();
