"use strict";
// Texts of the report in Japanese and English.
const WORDS = {
  ja: {
    handicap: "手合割",
    other: "English",
    board: "盤面",
    navigation: "移動",
    analysis: "解析",
    moves: "棋譜",
    start: "開始局面",
    first: "最初へ",
    previous: "前の手へ",
    next: "次の手へ",
    last: "最後へ",
    previousMistake: "◀ 前の悪手",
    nextMistake: "次の悪手 ▶",
    flip: "盤を反転",
    practice: "次の一手に挑戦",
    scale: "グラフ",
    winning: "勝率",
    centipawns: "評価値",
    players: "対局者",
    turning: "勝負の分かれ目",
    export: "書き出し",
    copyKif: "KIFをコピー",
    copySfen: "SFENをコピー",
    copyUsi: "USIをコピー",
    download: "解析付き棋譜を保存",
    print: "印刷",
    copied: "コピーしました",
    notCopied: "コピーできませんでした",
    side: "手番",
    class: "種類",
    all: "すべて",
    bad: "悪い手すべて",
    inaccuracy: "緩手",
    dubious: "疑問手",
    mistake: "悪手",
    blunder: "大悪手",
    only: "絶対手",
    brilliant: "好手",
    best: "最善手",
    good: "良い手",
    names: ["先手", "後手"],
    handicapNames: ["下手", "上手"],
    accuracy: "精度",
    loss: "一手平均の損失",
    agreement: "最善手一致率",
    missed: "詰み見逃し",
    mateIn: (n) => `${n}手詰`,
    wins: ["先手勝ち", "後手勝ち"],
    ply: (n) => `${n}手目`,
    none: "なし",
    variation: "変化",
    removeBranch: "この変化を消す",
    candidate: "候補",
    better: "最善",
    showBetter: "最善の手順を盤上で見る（b）",
    event: "棋戦",
    date: "日時",
    site: "場所",
    time: "持ち時間",
    result: "結果",
    opening: "戦型",
    castles: "囲い",
    engine: "エンジン",
    network: "評価関数",
    limits: "探索",
    seconds: (s) => clock(s),
    easy: "易しい",
    medium: "普通",
    hard: "難しい",
    difficulty: (grade, nodes) => `発見の難度: ${grade}（${nodes}ノード）`,
    threatens: (name) => `狙い ${name}`,
    threatensMate: (side, n) => `${side}${n}手詰め`,
    threatmate: "詰めろ",
    brinkmate: "必至",
    phases: ["序盤", "中盤", "終盤"],
    hint: (n) => `ヒント（最善なら+${n}）`,
    timeGraph: "消費時間",
    evaluation: "形勢",
    missedMate: (n) => `${n}手詰を逃す`,
    noMistakes: "該当する手はありません",
    over: "終局",
    task: (n, name, lost) => `${n}手目 ${name} は勝率を${lost}%損ないました。より良い手を盤上で指してください。`,
    input: "指し手（例 7g7f、G*5b）",
    answer: "答える",
    solution: "答えを見る",
    nextTask: "次の問題",
    right: "正解です！",
    close: "それも有力な手です。",
    wrong: "もっと良い手があります。",
    wrongAgain: "実戦の手です。もっと良い手があります。",
    refutation: "応手",
    unknown: "この手は指せないか、調べていない手です。別の手を考えてください。",
    promote: "成",
    stay: "不成",
    leave: "終了",
    hand: "持駒",
    empty: "なし",
    depth: "深さ",
  },
  en: {
    handicap: "Handicap",
    other: "日本語",
    board: "Board",
    navigation: "Navigation",
    analysis: "Analysis",
    moves: "Moves",
    start: "Start",
    first: "First position",
    previous: "Previous move",
    next: "Next move",
    last: "Last position",
    previousMistake: "◀ Mistake",
    nextMistake: "Mistake ▶",
    flip: "Flip board",
    practice: "Find better moves",
    scale: "Graph",
    winning: "Winning chances",
    centipawns: "Centipawns",
    players: "Players",
    turning: "Turning points",
    export: "Export",
    copyKif: "Copy KIF",
    copySfen: "Copy SFEN",
    copyUsi: "Copy USI",
    download: "Save annotated record",
    print: "Print",
    copied: "Copied",
    notCopied: "Could not copy",
    side: "Player",
    class: "Class",
    all: "All",
    bad: "All bad moves",
    inaccuracy: "inaccuracy",
    dubious: "dubious",
    mistake: "mistake",
    blunder: "blunder",
    only: "only move",
    brilliant: "brilliant",
    best: "best",
    good: "good",
    names: ["Black", "White"],
    handicapNames: ["Black", "White"],
    accuracy: "Accuracy",
    loss: "Loss per move",
    agreement: "Engine's choice",
    missed: "Missed mates",
    mateIn: (n) => `mate in ${n}`,
    wins: ["Black wins", "White wins"],
    ply: (n) => `Move ${n}`,
    none: "none",
    variation: "Variation",
    removeBranch: "Remove this branch",
    candidate: "Line",
    better: "best",
    showBetter: "Show the better line on the board (b)",
    event: "Event",
    date: "Date",
    site: "Site",
    time: "Time control",
    result: "Result",
    opening: "Opening",
    castles: "Castles",
    engine: "Engine",
    network: "Network",
    limits: "Search",
    seconds: (s) => clock(s),
    easy: "easy",
    medium: "medium",
    hard: "hard",
    difficulty: (grade, nodes) => `${grade}: found after ${nodes} nodes`,
    threatens: (name) => `threatens ${name}`,
    threatensMate: (side, n) => `${side} threatens mate in ${n}`,
    threatmate: "threatmate",
    brinkmate: "brinkmate",
    phases: ["opening", "middle game", "endgame"],
    hint: (n) => `hint (best: +${n})`,
    timeGraph: "Time used",
    evaluation: "Evaluation",
    missedMate: (n) => `misses mate in ${n}`,
    noMistakes: "No such move",
    over: "Game over",
    task: (n, name, lost) => `Move ${n} ${name} lost ${lost}% winning chances. Play a better move on the board.`,
    input: "Move (such as 7g7f, G*5b)",
    answer: "Answer",
    solution: "Show solution",
    nextTask: "Next exercise",
    right: "Correct!",
    close: "A strong move, too.",
    wrong: "There is a better move.",
    wrongAgain: "This is the move played. There is a better one.",
    refutation: "Refuted by",
    unknown: "This move is not legal or was not examined. Try another one.",
    promote: "Promote",
    stay: "Do not promote",
    leave: "Leave",
    hand: "in hand",
    empty: "nothing",
    depth: "depth",
  },
};
const BAD = ["dubious", "mistake", "blunder"];
const SYMBOLS = { inaccuracy: "·", dubious: "?", mistake: "??", blunder: "???", only: "□", brilliant: "!", best: "○" };

function clock(seconds) {
  const part = (n) => String(n).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  return (
    (hours ? `${hours}:${part(Math.floor(seconds / 60) % 60)}` : Math.floor(seconds / 60)) + `:${part(seconds % 60)}`
  );
}

function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function shape(tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "onclick") element.addEventListener("click", value);
    else if (value !== "" && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Data as the text of a script element, without `<`, so that nothing in it ends the element. */
const scriptText = (data) => JSON.stringify(data).replaceAll("<", "\\u003c");

/** Saves a file. */
function save(content, name, type) {
  const link = make("a", { href: URL.createObjectURL(new Blob([content], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const at = (id) => document.getElementById(id);
let language = (navigator.language || "ja").startsWith("ja") ? "ja" : "en";
let w = WORDS[language];

/** Shows the page's fixed texts in the chosen language. */
function translate() {
  w = WORDS[language];
  document.documentElement.lang = language;
  at("language").textContent = w.other;
  document.querySelectorAll("[data-word]").forEach((element) => {
    element.textContent = w[element.dataset.word];
  });
  document
    .querySelectorAll("[data-label]")
    .forEach((element) => element.setAttribute("aria-label", w[element.dataset.label]));
  document.querySelectorAll("nav [data-go]").forEach((button) => {
    button.setAttribute("aria-label", w[button.dataset.go]);
    button.title = w[button.dataset.go];
  });
}
