// Answers /?moves=7g7f+3c3d&nodes=100000 with the best move. The engine runs in a thread, so that the server stays
// responsive; a search ends when its client has gone.
import { createServer } from "node:http";
import process from "node:process";
import { WorkerEngine } from "monomi-shogi";

const engine = await WorkerEngine.create();
const server = createServer(async (request, response) => {
  const { searchParams } = new URL(request.url, "http://localhost");
  const moves = searchParams.get("moves");
  const position = moves ? `startpos moves ${moves}` : "startpos";
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  response.setHeader("content-type", "application/json; charset=utf-8");
  try {
    const nodes = Math.min(Number(searchParams.get("nodes") ?? 100000), 1000000);
    const { move, depth, lines } = await engine.search(position, { nodes, signal: gone.signal });
    const [name] = /\d/.test(move) ? await engine.names(position, [move]) : [move];
    response.end(JSON.stringify({ move, name, depth, score: lines[0]?.score }));
  } catch (error) {
    response.writeHead(400).end(JSON.stringify({ error: error.message }));
  }
});
server.listen(Number(process.env.PORT ?? 8080), "127.0.0.1", () => console.log(`port ${server.address().port}`));
