import { connect } from "node:net";
import { OPERATIONS } from "@mulkko/shared/rest/operations/table";
import { nodeTimers } from "@mulkko/shared/server/node-timers";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { pathSpelling } from "@mulkko/shared/testing/path-spellings";
import fc from "fast-check";
import fastify from "fastify";
import { expect, test } from "vitest";
import { type FakeApi, startFakeApi } from "../../testing/fake-api.ts";
import { createFakeFarm } from "../../testing/fake-farm.ts";
import { createFakeMetrics } from "../../testing/fake-metrics.ts";
import { createRecordedEnds } from "../../testing/recorded-ends.ts";
import { createCallEffects } from "./call-effects.ts";
import { errorsPlugin } from "./errors.ts";
import { farmCallPlugin } from "./farm-call.ts";
import { createProxiedApi } from "./proxied-api.ts";
import { proxyPlugin } from "./proxy.ts";
import { createShares } from "./shares/shares.ts";

const seed = Number(process.env.FUZZ_SEED ?? 20261128);
const numRuns = Number(process.env.FUZZ_RUNS ?? 400);

/** Start the proxy alone, which notes each call that it would have checked for open valves. */
async function startProxy(api: FakeApi) {
  const clock = createFakeClock();
  const farm = createFakeFarm(clock);
  const checked: string[] = [];
  const relay = fastify();
  await relay.register(errorsPlugin);
  await relay.register(farmCallPlugin, { imagePrefixes: ["/images"] });
  const effects = createCallEffects({
    owners: farm.owners,
    ends: createRecordedEnds().ends,
    prover: farm.prover,
  });
  const shares = createShares(nodeTimers);
  relay.addHook("onClose", () => shares.calls.close());
  await relay.register(proxyPlugin, {
    api: createProxiedApi(api.origin, effects, createFakeMetrics(), clock, shares),
    imagePrefixes: ["/images"],
    signIn: async () => null,
    prover: farm.prover,
    closeFirst: async ({ farmCall }) => void checked.push(farmCall?.operation?.path ?? "unknown"),
    refuseLate: () => undefined,
  });
  await relay.listen({ host: "127.0.0.1", port: 0 });
  const address = relay.server.address();
  if (address === null || typeof address === "string") throw new Error("the relay has no port");
  return { relay, checked, port: address.port };
}

/** Send a target as it is; a client library would put it into normal form. @returns the status */
function rawStatus(port: number, method: string, target: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    socket.setEncoding("utf8");
    socket.once("data", (text: string) => {
      resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]));
      socket.destroy();
    });
    socket.on("error", reject);
    socket.write(
      `${method} ${target} HTTP/1.1\r\nhost: relay\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
    );
  });
}

test("[PATH-1] passes no second spelling of a grave call on, by whatever prefix it comes", async () => {
  const api = await startFakeApi();
  const { relay, checked, port } = await startProxy(api);
  const graves = OPERATIONS.filter(
    (row) => row.removes ?? row.ends ?? row.commands ?? row.answeredByRelay,
  ).flatMap((row) =>
    row.methods.map((method) => ({ row, method, path: row.path.replaceAll(/:\w+/g, "41") })),
  );
  try {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...graves),
        fc.constantFrom("", "/images/..", "/images/%2e%2e", "/relay/photo/.."),
        pathSpelling,
        async ({ row, method, path }, prefix, spell) => {
          const before = api.requests.length;
          checked.length = 0;
          const status = await rawStatus(port, method, prefix + spell(path));
          // Either it is refused, or what was passed on had been checked as this very call.
          if (api.requests.length > before) expect(checked).toEqual([row.path]);
          else expect([400, 404, 422]).toContain(status);
        },
      ),
      { seed, numRuns },
    );
  } finally {
    await relay.close();
    await api.close();
  }
});
