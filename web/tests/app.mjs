// Tests of the app apart from whole games: what it says, keeps, asks and gives away.
import assert from "node:assert/strict";
import { begin, click, home, open, play, ready, shots, test, text } from "./harness.mjs";

const status = (page) => text(page, "#status");
const setUp = (page, position) =>
  page.evaluate((position) => {
    game.setUp(position);
    shown = 0;
    openTab("play");
  }, position);

async function reasons(page) {
  const drop = async (kind, square) => {
    await page.click(`#side-bottom [data-kind=${kind}]`);
    await click(page, square);
    return status(page);
  };
  await setUp(page, "sfen 4k4/9/9/9/9/9/4P4/9/4K4 b PN 1");
  assert.match(await drop("P", "5e"), /^Two pawns/);
  assert.match(await drop("P", "4a"), /could never move/);
  assert.match(await drop("N", "3b"), /could never move/);
  // A pawn may not be dropped to mate.
  await setUp(page, "sfen 7lk/9/7G1/9/9/9/9/9/4K4 b P 1");
  assert.match(await drop("P", "1b"), /dropped pawn/);
  await setUp(page, "sfen 4k4/4r4/9/9/9/9/9/4G4/4K4 b - 1");
  await play(page, "5h4h");
  assert.match(await status(page), /king would be in check/);
  await setUp(page, "sfen 4k4/4r4/9/9/9/9/9/8G/4K4 b - 1");
  await play(page, "1h1g");
  assert.match(await status(page), /stay in check/);
  await page.click("#language");
  await play(page, "1h1g");
  assert.equal(await status(page), "王手放置です");
  await page.click("#language");
}

/** After clicks on a piece that is captured, and on an empty square. */
async function promotions(page) {
  for (const [start, move] of [
    ["startpos moves 7g7f 8c8d", "8h3c"],
    ["startpos moves 7g7f 3c3d", "8h2b"],
    ["startpos moves 7g7f 3c3d", "8h3c"],
  ]) {
    await setUp(page, start);
    await play(page, move);
    await page.click(`#promotion [data-move="${move}+"]`);
    assert.equal(await page.evaluate(() => game.moves[0]), `${move}+`);
  }
}

async function typedMoves(page) {
  const type = async (start, typed) => {
    await setUp(page, start);
    await page.$eval(
      "#move-field",
      (field, typed) => {
        field.value = typed;
      },
      typed,
    );
    await page.$eval("#move-form", (form) => form.requestSubmit());
    return page.evaluate(() => game.moves.join());
  };
  for (const typed of ["２六歩", "26歩", "▲2六歩", "P-2f", "P2f", "p-2f", "2g2f"])
    assert.equal(await type("startpos", typed), "2g2f", typed);
  const start = "startpos moves 7g7f 3c3d";
  await page.evaluate(() => {
    game.setUp("startpos", ["7g7f", "3c3d"]);
  });
  for (const typed of ["２二角成", "22角成", "Bx2b+", "B-2b+", "8h2b+"]) {
    assert.deepEqual(
      await page.evaluate(
        (typed, start) =>
          movesTyped(typed, positionOf(start), rules.position(start).legal, (legal) =>
            legal.map((move) => rules.names(start, [move])[0]),
          ),
        typed,
        start,
      ),
      ["8h2b+"],
      typed,
    );
  }
  // Two golds can go there.
  assert.equal(await type("startpos", "G-5h"), "");
  assert.equal(await type("startpos", "G6i-5h"), "6i5h");
  assert.equal(await type("startpos", "58金右"), "4i5h");
  assert.equal(await type("startpos", "5i5a"), "");
  assert.match(await status(page), /5i5a.*does not move there/);
}

async function keptAndAsked(page) {
  await page.select("#level", "3");
  await page.select("#human", "1");
  await page.select("#look-pieces", "letters");
  await page.select("#nodes", "20000");
  await begin(page);
  await page.waitForFunction(() => game.moves.length === 1);
  await page.reload();
  await ready(page);
  assert.deepEqual(await page.evaluate(() => ["level", "human", "look-pieces", "nodes"].map((id) => at(id).value)), [
    "3",
    "1",
    "letters",
    "20000",
  ]);
  assert.equal(await page.evaluate(() => game.moves.length), 1);
  // A new game asks first.
  await page.$eval("#settings-fold", (fold) => {
    fold.open = true;
  });
  await page.click("#start");
  await page.waitForSelector("#ask", { visible: true });
  await page.click("#ask button:not(.primary)");
  assert.deepEqual(await page.evaluate(() => [game.active, game.moves.length]), [true, 1]);
  await page.evaluate(() => {
    game.setUp("startpos");
    turnBoard(false);
    at("look-pieces").value = "kanji";
    at("look-pieces").dispatchEvent(new Event("change"));
  });
}

async function tsume(page) {
  await page.click("#tab-setup");
  await page.click("#setup-empty");
  await page.click('[data-piece=\'{"kind":"G","white":false}\']');
  await click(page, "5c");
  assert.match(await page.$eval("#sfen-field", (field) => field.value), /^4k4\/9\/4G4\/.* b 2r2b3g4s4n4l18p/);
  await page.click("[data-key='0G1']");
  await page.click("#setup-mate");
  await page.waitForFunction(() => problem.moves.length === 1);
  await page.click("#tab-setup");
  await page.click("#setup-empty");
  await page.click("#setup-play");
  assert.match(await status(page), /both kings/);
  assert.ok(!(await page.evaluate(() => game.result)), "no game was begun");
  // An error takes the answer to another position away.
  await page.click("#tab-mate");
  await page.$eval("#mate-sfen", (field) => {
    field.value = "4k4/9/9/9/9/9/9/9/4K4 b - 1";
  });
  await page.click("#mate-start");
  await page.waitForFunction(() => at("mate-answer").textContent.startsWith("No mate"));
  await page.$eval("#mate-sfen", (field) => {
    field.value = "GGGGG4/9/4k4/9/9/9/9/9/9 b - 1";
  });
  await page.click("#mate-start");
  await page.waitForFunction(() => at("status").classList.contains("alarm"));
  assert.equal(await text(page, "#mate-answer"), "");
  assert.doesNotMatch(await status(page), /[\u3040-\u30ff]/);
  await page.click("#language");
  await page.click("#mate-start");
  assert.match(await status(page), /金/);
  await page.click("#language");
}

/** A problem is solved on the board: a wrong try is refuted, the right one mates. */
async function tsumeToPlay(page) {
  await page.click("#tab-mate");
  await page.evaluate(() => {
    kept.mates = [{ sfen: "4k4/9/4P4/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1", plies: 1, when: "test", missed: true }];
    draw();
  });
  await page.select("#tsume-length", "games");
  await page.select("#tsume-list", "0");
  await page.waitForFunction(() => attempt !== null);
  await page.click("#side-bottom [data-kind=G]");
  await click(page, "4a");
  await page.waitForFunction(() => at("status").classList.contains("alarm") && !attempt.waiting);
  assert.match(await status(page), /escapes|No mate/);
  await page.click("#side-bottom [data-kind=G]");
  await click(page, "7g");
  await page.waitForFunction(() => !attempt.waiting);
  assert.equal(await status(page), "That is no check");
  await page.click("#side-bottom [data-kind=G]");
  await click(page, "5b");
  await page.waitForFunction(() => attempt.done);
  assert.equal(await status(page), "Correct!");
  await page.click("#tsume-play");
  assert.ok(await page.evaluate(() => attempt === null));
}

/** The problems of the app are chosen by length and solved on the board, without and with a wrong try. */
async function problemsOfTheApp(page) {
  await page.click("#tab-mate");
  // Every solution is a mate by checks in as many plies as the problem is said to have.
  const wrong = await page.evaluate(() =>
    PROBLEMS.filter(({ sfen, moves }) => {
      const text = (plies) => (plies ? `sfen ${sfen} moves ${moves.slice(0, plies).join(" ")}` : `sfen ${sfen}`);
      const checks = moves.every((_, index) => index % 2 || rules.position(text(index + 1)).check);
      return (
        !checks ||
        rules.position(text(moves.length)).over !== "mate" ||
        rules.names(`sfen ${sfen}`, moves).length !== moves.length
      );
    }).map(({ sfen }) => sfen),
  );
  assert.deepEqual(wrong, []);
  await page.select("#tsume-length", "3");
  await page.click("#tsume-next");
  await page.waitForFunction(() => attempt !== null && problem.moves.length === 3);
  assert.match(await status(page), /^Mate in 3/);
  const attempted = () => page.waitForFunction(() => !attempt.waiting);
  // A check after which the king escapes, if there is one.
  const wrongTry = await page.evaluate(async () => {
    for (const move of attempt.legal) {
      const text = `${attempt.start} moves ${move}`;
      const { check, legal } = rules.position(text);
      if (!check || !legal.length || legal.length > 12) continue;
      for (const reply of legal) if (!(await engine.mate(`${text} ${reply}`, 2000)).mate) return move;
    }
    return null;
  });
  if (wrongTry) {
    await page.evaluate((move) => {
      playMove(move);
    }, wrongTry);
    await attempted();
    assert.match(await status(page), /escapes|No mate/);
    assert.equal(await page.evaluate(() => attempt.moves.length), 0);
  }
  // The solution; the defender may choose another reply of equal length.
  for (let plies = 0; !(await page.evaluate(() => attempt.done)); plies += 2) {
    assert.ok(plies < 9);
    const move = await page.evaluate(async () =>
      attempt.moves.length ? (await engine.mate(attempt.text(), 5000)).moves[0] : problem.moves[0],
    );
    if (
      plies === 0 &&
      move[1] !== "*" &&
      !move.endsWith("+") &&
      (await page.evaluate((move) => !attempt.legal.includes(`${move}+`), move))
    )
      await play(page, move);
    else
      await page.evaluate((move) => {
        playMove(move);
      }, move);
    await attempted();
  }
  assert.equal(await status(page), "Correct!");
  assert.match(
    await page.$eval("#tsume-length", (list) => list.selectedOptions[0].textContent),
    /^Mate in 3 \(1\/\d+\)$/,
  );
  const first = await page.evaluate(() => problem.text);
  await page.click("#tsume-next");
  await page.waitForFunction((first) => attempt && problem.text !== first, {}, first);
  // What is solved is kept, and giving up shows the solution.
  await page.click("#tsume-play");
  assert.match(await text(page, "#mate-answer"), /3/);
  assert.equal(
    await page.evaluate(
      () => JSON.parse(localStorage.getItem("monomi")).solved.length > 0 && at("mate-line").children.length,
    ),
    3,
  );
}

async function records(page) {
  await page.click("#tab-analyse");
  await page.$eval("#record-text", (field) => {
    field.value = "position startpos moves 7g7f 3c3d 1a1a 2g2f";
  });
  await page.click("#analyse-start");
  await page.waitForSelector("#ask", { visible: true });
  await page.click("#ask button:not(.primary)");
  assert.ok(await page.$eval("#report", (report) => report.hidden));
  // The text of a file has all that the file says, so that nothing is lost if the user changes it.
  const kif =
    "棋戦：名人戦\n先手：甲\n後手：乙\n手数----指手---------消費時間--\n*始まり\n   1 ７六歩(77)   ( 0:05/00:00:05)\n*角道\n   2 投了\n";
  await page.evaluate((text) => openRecord(new File([text], "a.kifu")), kif);
  const shown = await page.$eval("#record-text", (field) => field.value);
  assert.ok(shown.endsWith(kif), shown);
}

async function givenAway(page) {
  await page.evaluate(() => {
    game.setUp("startpos", ["7g7f", "3c3d", "8h2b+"]);
    shown = 3;
    openTab("play");
  });
  const address = await page.evaluate(() => shareAddress());
  const other = await open(address);
  await ready(other);
  assert.deepEqual(await other.evaluate(() => game.moves), ["7g7f", "3c3d", "8h2b+"]);
  await other.close();
  const [width, height, colours] = await page.evaluate(async () => {
    const canvas = await positionImage();
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const colours = new Set();
    for (let i = 0; i < data.length; i += 400) colours.add(data.slice(i, i + 3).join());
    return [canvas.width, canvas.height, colours.size];
  });
  assert.ok(width === 936 && height === 1354 && colours > 8, "a picture of the position");
  const kif = await page.evaluate(() => {
    game.setUp("sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
    Object.assign(game, { human: 0, level: 4, clock: { main: 600000, byoyomi: 30000, increment: 0 } });
    game.begin();
    game.since -= 12000;
    game.play("5a4b");
    return game.kif(["あなた", "Monomi"]);
  });
  for (const part of ["手合割：二枚落ち", "開始日時：2", "持ち時間：10分、秒読み30秒", "先手：あなた", "0:12/"])
    assert.ok(kif.includes(part), `${part} in ${kif}`);
  await page.evaluate(() => {
    game.setUp("startpos");
  });
}

/** Moves that were taken back stay as branches: in the list, over a reload and in the KIF. */
async function branches(page) {
  await page.evaluate(() => {
    game.setUp("startpos", ["7g7f", "3c3d", "2g2f", "8c8d"]);
    shown = 4;
    openTab("play");
  });
  const listed = () => page.$$eval("#moves .branch", (items) => items.map((item) => item.firstChild.textContent));
  const played = () => page.evaluate(() => game.moves.join(" "));
  // From an earlier move. The move that was played there only goes on.
  await page.click("#moves li:nth-child(1) .row");
  await play(page, "3c3d");
  assert.deepEqual([await played(), await listed()], ["7g7f 3c3d 2g2f 8c8d", []]);
  await play(page, "6g6f");
  assert.deepEqual([await played(), await listed()], ["7g7f 3c3d 6g6f", ["Variation 3 ▲P-2f △P-8d"]]);
  // By taking back; the same move again makes no branch.
  await page.click("#undo");
  assert.equal((await listed()).length, 2);
  await play(page, "6g6f");
  assert.equal((await listed()).length, 1);
  await page.click("#undo");
  await play(page, "5g5f");
  const both = ["Variation 3 ▲P-2f △P-8d", "Variation 3 ▲P-6f"];
  assert.deepEqual([await played(), await listed()], ["7g7f 3c3d 5g5f", both]);
  await page.reload();
  await ready(page);
  assert.deepEqual([await played(), await listed()], ["7g7f 3c3d 5g5f", both]);
  const read = await page.evaluate(() => rules.openRecords(game.kif(["", ""]))[0].branches);
  assert.deepEqual(
    read.map(({ before, moves }) => [before, ...moves]),
    [
      [2, "2g2f", "8c8d"],
      [2, "6g6f"],
    ],
  );
  // One is removed, if the user agrees.
  await page.evaluate(() => {
    game.addLine(["7g7f", "3c3d", "9g9f"]);
    changed();
  });
  assert.equal((await listed()).length, 3);
  for (const agreed of [false, true]) {
    const items = await page.$$("#moves .branch");
    const texts = await listed();
    await (await items[texts.findIndex((text) => text.includes("P-9f"))].$(".remove")).click();
    await page.waitForSelector("#ask", { visible: true });
    await page.click(agreed ? "#ask .primary" : "#ask button:not(.primary)");
    // The answer arrives after the dialog has closed.
    await page.waitForFunction(
      (length) => !at("ask").open && document.querySelectorAll("#moves .branch").length === length,
      {},
      agreed ? 2 : 3,
    );
    assert.deepEqual(await listed(), agreed ? both : texts);
  }
  // A branch becomes the game.
  await page.click("#moves .branch button");
  assert.deepEqual([await played(), await page.evaluate(() => shown)], ["7g7f 3c3d 2g2f 8c8d", 3]);
  assert.deepEqual(await listed(), ["Variation 3 ▲P-6f", "Variation 3 ▲P-5f"]);
  // A game that has ended keeps its result.
  const ended = await page.evaluate(() => {
    game.setUp("startpos", ["7g7f", "3c3d"]);
    game.began = new Date();
    game.finish(0, "resignEnd");
    shown = 1;
    playMove("8c8d");
    const tried = { kif: game.kif(["", ""]), active: game.active };
    game.follow(game.lines[0]);
    return { ...tried, result: game.result, moves: game.moves.length };
  });
  assert.match(ended.kif, /変化：2手\n {3}2 ３四歩\(33\)\n {3}3 投了\n/);
  assert.deepEqual([ended.active, ended.result?.how, ended.moves], [false, "resignEnd", 2]);
  await page.evaluate(() => {
    game.setUp("startpos");
    changed();
  });
}

/** Comments stay with the moves of a branch: in the list, in the KIF, in the report, and when the branch becomes the
 *  game. */
async function remarksOfBranches(page) {
  await page.evaluate(() => {
    game.setUp("startpos", ["7g7f", "3c3d", "2g2f", "8c8d"]);
    game.seconds = [1, 2, 3, 4];
    at("remarks").open = true;
    openTab("play");
    show(3);
  });
  await page.type("#comment", "pawn in front\nof the rook");
  await page.click("#bookmark");
  await page.evaluate(() => show(2));
  await play(page, "6g6f");
  assert.equal(await page.$eval("#comment", (field) => field.value), "");
  await page.type("#comment", "closed");
  assert.equal(await text(page, "#moves .branch .remark"), "★✎ 3 pawn in front\nof the rook");
  await page.evaluate(() => show(1));
  await page.type("#comment", "said later");
  const kif = await page.evaluate(() => game.kif(["", ""]));
  assert.match(kif, /変化：3手\n {3}3 ２六歩\(27\)[^\n]*\n&しおり\n\*pawn in front\n\*of the rook\n {3}4 ８四歩\(83\)/);
  assert.match(kif, / {3}4 ８四歩\(83\)[^\n]*0:04/);
  // A game read from its KIF has the same KIF.
  const again = await page.evaluate((kif) => {
    const [record] = rules.openRecords(kif);
    game.setUp("startpos", record.moves);
    Object.assign(game, { seconds: record.seconds, comments: ownComments(record.comments, false) });
    withTheirBookmarks(record.branches, bookmarksOf(kif)).forEach((branch) => game.addBranch(branch));
    changed();
    return game.kif(["", ""]);
  }, kif);
  assert.equal(again, kif);
  // What was said of a move that both share is that of the game.
  await page.click("#moves .branch button");
  assert.deepEqual(
    await page.evaluate(() => [game.comments.slice(0, 4).map((text) => text || ""), game.seconds, game.bookmarks]),
    [["", "said later", "", "pawn in front\nof the rook"], [1, 2, 3, 4], [3]],
  );
  assert.equal(await text(page, "#moves .branch .remark"), "✎ 3 closed");
  // The report, and back from it.
  await page.click("#tab-analyse");
  await page.evaluate((kif) => {
    at("record-text").value = kif;
    at("record-text").dispatchEvent(new Event("input"));
    at("nodes").options[0].value = "300";
    at("nodes").value = "300";
  }, kif);
  await page.click("#analyse-start");
  await page.waitForFunction(() => !at("report").hidden);
  const frame = await (await page.$("#report-frame")).contentFrame();
  await frame.waitForSelector("#moves .branch button");
  await frame.$eval("#moves .branch button", (button) => button.click());
  assert.equal(await frame.$eval("#comments", (element) => element.textContent), "pawn in front\nof the rook");
  await page.click("#report-board");
  await page.waitForFunction(() => tab === "play" && !document.querySelector("main").hidden);
  assert.equal(await page.evaluate(() => game.kif(["", ""])), kif);
  await page.evaluate(() => {
    game.setUp("startpos");
    changed();
  });
}

/** Only what has changed is drawn. */
async function incremental(page) {
  const kept = await page.evaluate(() => {
    game.setUp("startpos", ["7g7f", "3c3d"]);
    shown = 2;
    openTab("play");
    const before = [...document.querySelectorAll("#board .komas > g, #moves .row")];
    playMove("2g2f");
    return before.filter((element) => element.isConnected).length - before.length;
  });
  assert.equal(kept, -1, "one piece was drawn anew");
}

export async function testApp() {
  const page = await open(`${home}/app/`);
  await ready(page);
  await page.evaluate(() => {
    pace.answer = 0;
  });
  const parts = [
    ["illegal tries are explained", reasons],
    ["promotion is asked for", promotions],
    ["moves are typed in several ways", typedMoves],
    ["settings are kept, and a game in progress is not discarded", keptAndAsked],
    ["positions for tsume", tsume],
    ["tsume to play", tsumeToPlay],
    ["problems of the app", problemsOfTheApp],
    ["a faulty record is not analysed silently", records],
    ["links, pictures and records", givenAway],
    ["moves taken back stay as branches", branches],
    ["comments on moves of branches are kept and shown", remarksOfBranches],
    ["only changes are drawn", incremental],
  ];
  for (const [name, part] of parts) await test(name, () => part(page));
  await page.screenshot({ path: `${shots}/app.png` });
  await page.evaluate(() => localStorage.clear());
  await page.close();
}
