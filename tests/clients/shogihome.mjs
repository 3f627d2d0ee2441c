// Drives an engine with ShogiHome's own USI client: node shogihome.mjs BUNDLE ENGINE
//
// BUNDLE is `EngineProcess` of ShogiHome's sources (src/background/usi/engine.ts) and tsshogi's
// `Record`, bundled by esbuild; see tests/tests/usi/real_clients.rs. Exit code 0 when all went well.

const [, , bundle, engine] = process.argv;
const { EngineProcess, Record } = await import(bundle);

const complaints = [];
const logger = {
  info: () => {},
  debug: () => {},
  // ShogiHome warns when the engine speaks out of turn.
  warn: (...words) => complaints.push(words.join(" ")),
  error: (...words) => complaints.push(words.join(" ")),
};

function fail(reason) {
  console.error(reason, complaints);
  process.exit(1);
}
const patience = setTimeout(() => fail("no end after 300 s"), 300_000);

const options = [
  ["USI_Hash", 16],
  ["USI_Ponder", "true"],
  ["MinimumThinkingTime", 0],
  ["NetworkDelay", 0],
  ["NetworkDelay2", 0],
  ["RoundUpToFullSecond", "false"],
];

function promised(engine, slot) {
  return new Promise((resolve) => {
    engine[slot] = (...values) => resolve(values);
  });
}

async function started(enableEarlyPonder) {
  const process = new EngineProcess(engine, 1, logger, { enableEarlyPonder });
  process.errorCallback = (error) => fail(error);
  process.timeoutCallback = () => fail("usiok came too late");
  const ok = promised(process, "usiOkCallback");
  process.launch();
  await ok;
  const names = Object.keys(process.engineOptions);
  if (!process.name.startsWith("Monomi") || !names.includes("USI_Ponder")) {
    fail(`not announced: ${process.name}, ${names}`);
  }
  for (const [name, value] of options) process.setOption(name, value);
  return process;
}

async function ready(engine) {
  const ok = promised(engine, "readyCallback");
  const error = engine.ready();
  if (error) fail(error);
  await ok;
}

// A game between two engines that both ponder; returns its length.
async function game(engines, plies) {
  const record = new Record();
  const time = { btime: 2000, wtime: 2000, byoyomi: 0, binc: 50, winc: 50 };
  const predicted = [undefined, undefined];
  for (let ply = 0; ply < plies; ply++) {
    const side = ply % 2;
    const player = engines[side];
    const answer = promised(player, "bestMoveCallback");
    const start = Date.now();
    if (predicted[side] && predicted[side] === record.getUSI()) {
      player.ponderHit({ ...time });
    } else {
      player.go(record.getUSI(), { ...time });
    }
    const [, best, ponder] = await answer;
    const key = side === 0 ? "btime" : "wtime";
    // A busy machine may exceed the time; that the engine keeps it is tested elsewhere.
    time[key] = Math.max(time[key] + 50 - (Date.now() - start), 50);
    if (best === "resign" || best === "win") return ply;
    const move = record.position.createMoveByUSI(best);
    if (!move || !record.append(move)) fail(`${best} is illegal at move ${ply + 1}`);
    predicted[side] = undefined;
    if (ponder) {
      const reply = record.position.createMoveByUSI(ponder);
      if (!reply || !record.append(reply)) fail(`ponder ${ponder} is illegal at ${ply + 1}`);
      predicted[side] = record.getUSI();
      record.goBack();
      record.removeNextMove();
      // The client sends nothing more before it is back from the answer.
      await new Promise((resolve) => setImmediate(resolve));
      player.goPonder(predicted[side], { ...time });
    }
  }
  return plies;
}

for (const early of [false, true]) {
  const engines = [await started(early), await started(early)];
  for (const plies of [40, 30]) {
    for (const engine of engines) await ready(engine);
    const length = await game(engines, plies);
    if (length < 10) fail(`a game of ${length} plies`);
    // The game ends in the middle of a ponder search.
    engines[0].gameover("win");
    engines[1].gameover("lose");
  }
  // Analysis: one position after the other, each without waiting for the former's answer.
  const analyst = engines[0];
  await ready(analyst);
  let lines = 0;
  analyst.infoCallback = () => lines++;
  for (const line of ["", " moves 7g7f", " moves 7g7f 3c3d", " moves 2g2f"]) {
    analyst.go("position startpos" + line);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  if (lines < 4) fail(`${lines} lines of analysis`);
  const best = promised(analyst, "bestMoveCallback");
  analyst.stop();
  await best;
  // A mate in one, and none.
  const mate = promised(analyst, "checkmateCallback");
  analyst.goMate("position sfen 4k4/9/4P4/9/9/9/9/9/9 b G 1", 5);
  const [, moves] = await mate;
  if (moves.join(" ") !== "G*5b") fail(`mate by ${moves}`);
  const none = promised(analyst, "noMateCallback");
  analyst.goMate("position sfen 4k4/9/9/9/9/9/9/9/9 b G 1", 5);
  await none;
  for (const engine of engines) {
    const closed = promised(engine, "closeCallback");
    const start = Date.now();
    engine.quit();
    await closed;
    if (Date.now() - start > 1000) fail("quit took long");
  }
}
// What it discards between gameover and the next game is as it should be: one for each gameover.
const others = complaints.filter((text) => !text.includes("ignore bestmove"));
if (others.length > 0 || complaints.length > 8) fail("the client complained");
clearTimeout(patience);
console.log("ok");
