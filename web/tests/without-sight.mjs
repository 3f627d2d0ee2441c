// Tasks of a player who does not see the page: names, roles and what is announced come from the accessibility tree, and
// all input from the keyboard. No selectors, no mouse, and nothing of the app's state is read.
import assert from "node:assert/strict";
import { PROBLEMS } from "../app/problems.js";
import { open, ready, test } from "./harness.mjs";

const LOG = /^(What was spoken|読み上げの記録)$/;

/** All nodes of a tree, parents first. */
function nodesOf(node) {
  return node ? [node, ...(node.children ?? []).flatMap(nodesOf)] : [];
}

/** The name of a node, else the text in it. */
const textOf = (node) =>
  node.name ||
  nodesOf(node)
    .filter(({ role }) => role === "StaticText")
    .map(({ name }) => name)
    .join(" ");

/** What is in a list after what was heard before; the oldest messages may be gone. */
function newOf(before, now) {
  for (let shared = Math.min(before.length, now.length); shared > 0; shared--)
    if (before.slice(-shared).every((text, index) => text === now[index])) return now.slice(shared);
  return now;
}

class Listener {
  #heard = [];

  constructor(page) {
    this.page = page;
  }

  async nodes() {
    return nodesOf(await this.page.accessibility.snapshot({ includeIframes: true }));
  }

  /** The messages in the log. */
  async #log() {
    const log = (await this.nodes()).find(({ role, name }) => role === "log" && LOG.test(name));
    return nodesOf(log)
      .filter(({ role }) => role === "StaticText")
      .map(({ name }) => name);
  }

  /** From now on only what is new is heard. */
  async listen() {
    this.#heard = await this.#log();
  }

  /** Waits until something is announced; the message. */
  async hear(pattern, seconds = 20) {
    const end = performance.now() + seconds * 1000;
    let fresh;
    do {
      const now = await this.#log();
      fresh = newOf(this.#heard, now);
      const index = fresh.findIndex((text) => pattern.test(text));
      if (index >= 0) {
        // What came before it has been heard, too.
        this.#heard = now.slice(0, now.length - fresh.length + index + 1);
        return fresh[index];
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    } while (performance.now() < end);
    assert.fail(`${pattern} was not announced, but ${JSON.stringify(fresh)}`);
  }

  /** Waits until there is a node of a role with such a name or text; the text. */
  async read(role, pattern, seconds = 20) {
    const end = performance.now() + seconds * 1000;
    let nodes;
    do {
      nodes = (await this.nodes()).filter((node) => node.role === role);
      const found = nodes.map(textOf).find((text) => pattern.test(text));
      if (found !== undefined) return found;
      await new Promise((resolve) => setTimeout(resolve, 50));
    } while (performance.now() < end);
    return assert.fail(`no ${role} ${pattern}, but ${JSON.stringify(nodes.map(textOf))}`);
  }

  /** The node that has the keyboard: the innermost one, as frames have one of their own. */
  async focused() {
    return (await this.nodes()).filter(({ focused }) => focused).at(-1) ?? { role: "", name: "" };
  }

  /** Waits until what has the keyboard has such a name. */
  async arrive(pattern) {
    const end = performance.now() + 20000;
    let name;
    do ({ name } = await this.focused());
    while (!pattern.test(name) && performance.now() < end);
    assert.match(name, pattern);
  }

  async press(...keys) {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Goes on with the Tab key until an element of a role with such a name has the keyboard. */
  async goTo(role, pattern, key = "Tab") {
    const passed = [];
    for (let count = 0; count < 130; count++) {
      const here = await this.focused();
      if (here.role === role && pattern.test(here.name)) return here;
      passed.push(`${here.role} ${here.name}`);
      if (key === "Tab") await this.press("Tab");
      else {
        await this.page.keyboard.down("Shift");
        await this.press("Tab");
        await this.page.keyboard.up("Shift");
      }
    }
    return assert.fail(`${role} ${pattern} is not reached with Tab: ${passed.join("; ")}`);
  }

  async activate(role, pattern, key) {
    await this.goTo(role, pattern, key);
    await this.press(role === "checkbox" ? "Space" : "Enter");
  }

  /** Chooses what begins with a text in a list. */
  async choose(name, option) {
    await this.goTo("combobox", name);
    await this.page.keyboard.type(option);
    const { value } = await this.focused();
    assert.ok(value.startsWith(option), `${name}: ${value} instead of ${option}`);
  }

  /** Goes to one of the tabs. */
  async openTab(pattern) {
    for (let step = 0; step < 200; step++) {
      const here = await this.focused();
      if (here.role === "tab" && pattern.test(here.name)) return;
      await this.press(here.role === "tab" ? "ArrowRight" : "Tab");
    }
    assert.fail(`the tab ${pattern} is not reached`);
  }
}

async function chooseLanguage(player) {
  await player.activate("button", /^日本語$/);
  await player.read("tab", /^対局$/);
  await player.read("application", /^盤面$/);
  await player.activate("button", /^English$/);
  await player.read("tab", /^Play$/);
}

async function startGame(player) {
  await player.choose(/^You play$/, "Black");
  await player.choose(/^Strength$/, "Level 0");
  await player.listen();
  await player.activate("button", /^Start game$/);
  await player.hear(/^Your move$/);
}

/** A piece is chosen and moved on the board, and the answer is heard. */
async function playMove(player) {
  await player.arrive(/^Board$/);
  await player.listen();
  await player.press("7", "g");
  await player.hear(/^7g Black pawn$/);
  await player.press("Enter");
  await player.hear(/^Chosen: 7g Black pawn\. It can go to 7f$/);
  await player.press("ArrowUp");
  await player.hear(/^7f empty$/);
  await player.press("Enter");
  await player.hear(/^Black P-7f$/);
  await player.hear(/^White [A-Z]\S+\. Your move/);
}

async function askBoard(player) {
  await player.listen();
  await player.press("6", "f", "a");
  await player.hear(/^6f empty$/);
  // White's bishop attacks along the diagonal if White answered P-3d.
  await player.hear(/^6f: Black (.*, )?bishop 8h; White (none|bishop 2b)$/);
  await player.press("8", "h", "a");
  // A piece that defends one of its own side.
  await player.hear(/^8h: Black .*silver 7i.*; White (none|bishop 2b)$/);
  await player.press("h");
  await player.hear(/^Black in hand: none; White in hand: none$/);
  await player.press("l");
  await player.hear(/^2 White /);
  await player.press("t");
  await player.hear(/^to move: You$/);
  await player.press("p");
  await player.hear(/^Black: .*7f pawn.*White: .* king, .* pawn/);
  // An illegal move is explained.
  await player.press("9", "i", "Enter", "9", "c", "Enter");
  await player.hear(/The piece does not move there/);
  await player.press("Escape");
}

async function takeBack(player) {
  await player.listen();
  await player.press("u");
  await player.hear(/^Your move$/);
  // The next one is typed.
  await player.press("m");
  await player.arrive(/^Move$/);
  await player.page.keyboard.type("26歩");
  await player.press("Enter");
  await player.hear(/^Black P-2f$/);
  await player.hear(/^White [A-Z]\S+\. Your move/);
}

async function askEngine(player) {
  await player.goTo("application", /^Board$/, "Shift+Tab");
  await player.listen();
  await player.press("e");
  await player.hear(/^[-+]?\d+ Black [A-Z]\S+ White /);
  await player.press("b");
  await player.hear(/^1 Black P-2f$/);
  await player.press("n");
  await player.hear(/^White [A-Z]\S+\. Your move/);
}

async function resign(player) {
  await player.listen();
  await player.activate("button", /^Resign$/);
  await player.read("dialog", /^Resign\?$/);
  await player.press("Enter");
  await player.hear(/^White .*\. Monomi Level 0 .* wins \(resignation\)$/);
  await player.activate("button", /^Close$/);
}

/** White does not take the bishop. */
const RECORD = "position startpos moves 7g7f 3c3d 8h2b+ 9c9d 2b3a 4a3a";

async function analyse(player) {
  await player.openTab(/^Analyse a game$/);
  await player.goTo("textbox", /^Paste a record/);
  await player.page.keyboard.sendCharacter(RECORD);
  await player.choose(/^Search per move$/, "quick");
  await player.listen();
  await player.activate("button", /^Analyse$/);
  await player.hear(/^\d of 7 positions$/, 120);
  await player.read("button", /^Mistake ▶$/, 120);
  await player.press("n");
  await player.read("status", /4 △P-9d/);
  const verdict = await player.read("button", /^(blunder|mistake) -\d+\.\d%/);
  // The reason, not only the loss.
  assert.match(verdict, /% .*[a-z]{4,}/i);
  await player.activate("button", /^Another record$/, "Shift+Tab");
}

async function solve(player) {
  await player.openTab(/^Tsume$/);
  await player.choose(/^Length$/, "Mate in 1");
  await player.listen();
  await player.activate("button", /^Next problem$/);
  await player.hear(/^Mate in 1 by checks only\.$/);
  const [one] = PROBLEMS.filter(({ moves }) => moves.length === 1);
  await player.goTo("textbox", /^Move$/);
  await player.page.keyboard.type(one.moves[0]);
  await player.press("Enter");
  await player.hear(/^Correct!$/);
  // Of three plies, on the board as text; the defender's move is heard.
  await player.choose(/^Length$/, "Mate in 3");
  const three = PROBLEMS.filter(({ moves }) => moves.length === 3);
  const number = three.findIndex(({ moves }) => moves.every((move) => /^[1-9][a-i][1-9][a-i]$/.test(move)));
  await player.choose(/^Problem$/, String(number + 1));
  await player.hear(/^Mate in 3 by checks only\.$/);
  await openText(player);
  await moveInText(player, three[number].moves[0]);
  const heard = await player.hear(/^White \S+\. Right so far$/);
  const { name } = await player.focused();
  assert.match(name, /^\d[a-i] Black /, `the board as text has the keyboard after ${heard}`);
}

async function openText(player) {
  await player.goTo("DisclosureTriangle", /^Board as text$/);
  if (!(await player.focused()).expanded) await player.press("Enter");
  await player.read("gridcell", /./);
  await player.press("Tab");
  await player.arrive(/^\d[a-i] /);
}

async function moveInText(player, move) {
  await player.press(move[0], move[1], "Enter");
  await player.hear(/^Chosen: /);
  await player.press(move[2], move[3], "Enter");
}

async function setUp(player) {
  await player.openTab(/^Set up$/);
  await player.activate("button", /^For tsume$/);
  await player.activate("button", /^▲gold, 4 left$/, "Shift+Tab");
  await player.activate("button", /^Black's hand: gold \+1$/);
  await openText(player);
  await player.listen();
  await player.press("5", "c");
  assert.match((await player.focused()).name, /^5c empty$/);
  await player.press("Enter");
  await player.hear(/^5c Black gold$/);
  await player.press("u", "Enter");
  await player.hear(/^5c Black gold$/);
  assert.match((await player.focused()).name, /^5c Black gold$/);
  await player.press("ArrowUp", "ArrowUp");
  assert.match((await player.focused()).name, /^5a White king$/);
  await player.press("h");
  await player.hear(/^Black in hand: gold 1; White in hand: rook 2, bishop 2, gold 2/);
  await player.activate("button", /^Look for mate$/, "Shift+Tab");
  await player.read("StaticText", /^Mate in 1$/);
}

/** A piece takes and is asked whether to promote; the keyboard goes on where it was. */
async function promote(player) {
  await player.openTab(/^Set up$/);
  await player.goTo("textbox", /^SFEN$/);
  await player.page.keyboard.down("Control");
  await player.press("a");
  await player.page.keyboard.up("Control");
  await player.page.keyboard.type("lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3");
  await player.press("Enter");
  await player.listen();
  await player.activate("button", /^Play from here$/);
  await player.hear(/^Your move$/);
  await openText(player);
  await moveInText(player, "8h2b");
  await player.arrive(/^Promote$/);
  await player.press("Enter");
  await player.hear(/^Black Bx2b\+$/);
  await player.arrive(/^2b /);
  await player.hear(/^White \S+\. Your move/);
  await player.press("h");
  await player.hear(/^Black in hand: bishop 1; White in hand: /);
  await player.press("2", "b", "a");
  await player.hear(/^2b: /);
}

async function findGame(player) {
  await player.openTab(/^Games$/);
  await player.goTo("searchbox", /^Search$/);
  await player.page.keyboard.type("lost level");
  await player.activate("button", /^Open, \d{4}-\d\d-\d\d/);
  await player.read("dialog", /^A game is in progress \(2 moves\)\. End it\?$/);
  await player.press("Enter");
  await player.arrive(/^Play$/);
  await player.listen();
  await player.activate("button", /^Next move$/);
  await player.hear(/^1 Black P-2f$/);
}

/** In Japanese, in the words that players use. */
async function inJapanese(player) {
  await player.activate("button", /^日本語$/);
  await player.activate("DisclosureTriangle", /^対局の設定$/);
  await player.listen();
  await player.activate("button", /^対局開始$/);
  await player.hear(/^あなたの手番です$/);
  await player.arrive(/^盤面$|^\d[一二三四五六七八九] /);
  await player.press("7", "7", "Enter", "7", "6", "Enter");
  await player.hear(/^7七 先手の歩を選びました。行き先: 7六$/);
  await player.hear(/^☗７六歩$/);
  await player.hear(/^☖[１-９同][^▲△]*。あなたの手番です/);
  await player.press("?");
  await player.arrive(/^キーの一覧$/);
  await player.read("StaticText", /^その升目に利いている双方の駒/);
}

/** A page whose browser has these voices; null: one without speech. Texts that are spoken are in `said`. */
async function withVoices(address, voices) {
  const page = await open("about:blank");
  await page.evaluateOnNewDocument((voices) => {
    globalThis.said = [];
    class Utterance {
      constructor(text) {
        this.text = text;
      }
    }
    const speechSynthesis = voices && {
      getVoices: () => voices,
      speak: ({ text, lang, voice }) => said.push([text, lang, voice?.name ?? null]),
      cancel: () => said.push("cancelled"),
    };
    for (const [name, value] of Object.entries({
      speechSynthesis: speechSynthesis ?? undefined,
      SpeechSynthesisUtterance: voices ? Utterance : undefined,
    }))
      Object.defineProperty(globalThis, name, { value, configurable: true });
  }, voices);
  await page.goto(address);
  await ready(page);
  await page.evaluate(() => {
    game.setUp("startpos");
    openTab("play");
    speak("en");
    said.length = 0;
  });
  return page;
}

async function speech(address) {
  const page = await withVoices(address, [
    { name: "A", lang: "en-US" },
    { name: "B", lang: "ja-JP" },
    { name: "C", lang: "en_GB" },
    { name: "D", lang: "de-DE" },
  ]);
  const made = (move) =>
    page.evaluate((move) => {
      said.length = 0;
      playMove(move);
      return said;
    }, move);
  // It is off by default.
  assert.deepEqual(await made("7g7f"), []);
  await page.evaluate(() => {
    at("look").open = true;
  });
  await page.click("#speech");
  assert.deepEqual(await made("3c3d"), [["2 White P-3d", "en-US", "A"]]);
  assert.deepEqual(await page.$$eval("#voice option", (options) => options.map(({ value }) => value)), ["A", "C"]);
  await page.select("#voice", "C");
  assert.deepEqual(await made("2g2f"), [["3 Black P-2f", "en_GB", "C"]]);
  // The voice of each language is kept, and the Japanese names of moves are read as players do.
  await page.reload();
  await ready(page);
  await page.evaluate(() => speak("ja"));
  assert.deepEqual(await made("8c8d"), [["4手目 後手 はち よん ふ", "ja-JP", "B"]]);
  assert.deepEqual(
    await page.evaluate(() =>
      ["☗７七角成", "☖同　銀不成", "☗５八金右", "☖３三桂打", "あなたの手番です"].map((text) => readings(text)),
    ),
    [
      "先手 なな なな かくなり",
      "後手 どう ぎんならず",
      "先手 ご はち きんみぎ",
      "後手 さん さん けいうつ",
      "あなたの手番です",
    ],
  );
  await page.evaluate(() => speak("en"));
  assert.equal((await made("2f2e"))[0][2], "C");
  await page.$eval("#speech", (box) => box.click());
  assert.deepEqual(await made("8d8e"), []);
  await page.close();
  // Without voices for the language, and without speech.
  const none = await withVoices(address, []);
  await none.evaluate(() => {
    at("look").open = true;
    at("speech").click();
  });
  assert.equal(await none.$eval("#voice-field", (field) => field.hidden), true);
  assert.deepEqual(
    await none.evaluate(() => {
      said.length = 0;
      playMove("7g7f");
      return said;
    }),
    [["1 Black P-7f", "en-GB", null]],
  );
  await none.close();
  const without = await withVoices(address, null);
  await without.evaluate(() => {
    kept.speech = true;
    speak("ja");
    speak("en");
    playMove("7g7f");
  });
  assert.equal(await without.$eval("#speech-field", (field) => field.hidden), true);
  assert.equal(await without.evaluate(() => game.moves.length), 1);
  await without.evaluate(() => {
    game.setUp("startpos");
    kept.speech = false;
    keep();
  });
  await without.close();
}

export async function testWithoutSight(address) {
  const page = await open(address);
  await ready(page);
  const player = new Listener(page);
  const tasks = [
    ["choose the language", chooseLanguage],
    ["start a game", startGame],
    ["make a move and hear the answer", playMove],
    ["ask what attacks a square, for the hands and for the turn", askBoard],
    ["take back and type a move", takeBack],
    ["ask for the engine's line", askEngine],
    ["resign", resign],
    ["analyse a record and read why a move is a mistake", analyse],
    ["solve mate problems", solve],
    ["set up a position and look for a mate", setUp],
    ["promote a piece", promote],
    ["find a game in the archive and go through it", findGame],
    ["play in Japanese", inJapanese],
  ];
  for (const [name, task] of tasks) await test(`without sight: ${name}`, () => task(player));
  await page.close();
  await test("moves are spoken by the browser, if it can and the user wants it", () => speech(address));
}
