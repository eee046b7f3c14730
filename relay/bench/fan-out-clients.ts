import { setTimeout as wait } from "node:timers/promises";
import { relayPath } from "@mulkko/shared/rest/routes";
import { WebSocket } from "ws";
import { answerParent } from "./child.ts";
import { ClientQuestion } from "./fan-out-messages.ts";

const CONNECT_AT_ONCE = 50;
const CHANGE = Buffer.from('{"t":"change"');

let frames = 0;

/** Connects, and resolves when it is up to date; counts `change` frames from then on. */
async function connect(port: number): Promise<void> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${relayPath.webSocket}`, { perMessageDeflate: false });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.on("error", reject);
  socket.on("open", () => {
    if (process.argv[2] === "bare") {
      resolve();
      return;
    }
    socket.send(JSON.stringify({ t: "hello", protocol: 1, token: "bench" }));
    socket.send(JSON.stringify({ t: "subscribe", stream: "devices" }));
  });
  socket.on("message", (data) => {
    if (!Buffer.isBuffer(data)) return;
    if (data.subarray(0, CHANGE.length).equals(CHANGE)) frames += 1;
    else if (data.includes('"t":"snapshot"')) resolve();
  });
  await promise;
}

answerParent(ClientQuestion, async (question) => {
  if (question.do === "connect") {
    for (let count = 0; count < question.sessions; count += CONNECT_AT_ONCE) {
      const some = Math.min(CONNECT_AT_ONCE, question.sessions - count);
      await Promise.all(Array.from({ length: some }, () => connect(question.port)));
    }
    return { connected: question.sessions };
  }
  for (let seen = -1; frames < question.frames && frames !== seen; await wait(1_000)) seen = frames;
  const counted = frames;
  frames = 0;
  return { frames: counted };
});
