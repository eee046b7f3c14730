import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import { systemClock } from "@mulkko/shared/rules/clock";
import { nodeTimers } from "@mulkko/shared/server/node-timers";
import { machineMs } from "@mulkko/testing/bench/figures";
import fastify from "fastify";
import { WebSocket, WebSocketServer } from "ws";
import { createAdmission } from "../src/gateway/admission.ts";
import { gatewayPlugin } from "../src/gateway/gateway-plugin.ts";
import { createTrust } from "../src/http/trusted-proxies.ts";
import { changeFrame, emptyGathering, gatherSet, takeGathered } from "../src/store/gather.ts";
import { createFakeFarm } from "../testing/fake-farm.ts";
import { createSessionDeps } from "../testing/gateway/session-deps.ts";
import { answerParent } from "./child.ts";
import { ServerQuestion } from "./fan-out-messages.ts";
import { BENCH } from "./options.ts";
import { createSyntheticReadings } from "./synthetic-readings.ts";

/** A server that can send one more frame to all connected clients. */
interface Competitor {
  readonly port: number;
  /**
   * Send a frame.
   * @returns its bytes
   */
  tick(): number;
}

const ACCOUNT = "a";

/** Start the relay's gateway over a real copy of a stream: it compares, serialises and fans out. */
async function startRelay(): Promise<Competitor> {
  const farm = createFakeFarm(systemClock);
  farm.grant("bench", ACCOUNT, 3_600_000);
  const readings = createSyntheticReadings();
  const account = farm.account(ACCOUNT);
  account.change(readings.all());
  let bytes = 0;
  farm.stream(ACCOUNT).listen((frame) => {
    bytes = frame.bytes.length;
  });
  const app = fastify();
  const limits = { sessionsPerAddress: 50_000, sessionsPerAccount: 50_000, sessions: 50_000 };
  const deps = createSessionDeps(farm, { timers: nodeTimers });
  const { access, messages, clock, timers, metrics } = deps;
  const admission = createAdmission({ metrics, trust: createTrust([]), allowedOrigins: [], limits });
  const runtime = { clock, timers, random: Math.random, metrics };
  await app.register(gatewayPlugin, { access, messages, admission, runtime, limits });
  const origin = await app.listen({ host: "127.0.0.1", port: 0 });
  return {
    port: Number(new URL(origin).port),
    tick() {
      account.change(readings.next(BENCH.readings));
      return bytes;
    },
  };
}

/** Start `ws` alone, which sends frames with prepared bytes. */
async function startBare(): Promise<Competitor> {
  const readings = createSyntheticReadings();
  const gathering = emptyGathering();
  for (const [key, value] of Object.entries(readings.all())) gatherSet(gathering, key, value);
  takeGathered(gathering);
  const prepared = Array.from({ length: 200 }, (_, index) => {
    for (const [key, value] of Object.entries(readings.next(BENCH.readings)))
      gatherSet(gathering, key, value);
    return changeFrame(index + 1, takeGathered(gathering)).bytes;
  });
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
  await new Promise((resolve) => {
    server.once("listening", resolve);
  });
  const address = server.address();
  if (typeof address === "string" || address === null) throw new Error("no port");
  let turn = 0;
  return {
    port: address.port,
    tick() {
      const bytes = prepared[turn++ % prepared.length];
      if (!bytes) throw new Error("nothing prepared");
      for (const client of server.clients) {
        if (client.readyState === WebSocket.OPEN) client.send(bytes, { binary: false });
      }
      return bytes.length;
    },
  };
}

const started = process.argv[2] === "bare" ? startBare() : startRelay();

answerParent(ServerQuestion, async (question) => {
  const competitor = await started;
  if (question.do === "listen") return { port: competitor.port };
  const { ticks, tickMs } = question;
  const before = process.cpuUsage();
  const sentAt: number[] = [];
  let sum = 0;
  for (let count = 0; count < ticks; count += 1) {
    sentAt.push(machineMs());
    sum += competitor.tick();
    if (tickMs > 0) await wait(tickMs);
    else await nextTurn();
  }
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1_000, frameBytes: sum / ticks, sentAt };
});
