import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import Type from "typebox";
import { afterEach, expect, test } from "vitest";
import type { UpstreamOutcome } from "../runtime/metrics.ts";
import { createUpstreamClient, retryAfter } from "./client.ts";
import { UpstreamAnswerError, UpstreamError, UpstreamStatusError } from "./errors.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function harness(answer: RequestListener) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  closing.push(stop);
  const seen: { unit: string; outcome: UpstreamOutcome }[] = [];
  const skews: (number | null)[] = [];
  const failures: UpstreamError[] = [];
  const clock = createFakeClock();
  const client = createUpstreamClient({
    origin: `http://127.0.0.1:${port}`,
    clock,
    observer: {
      answered: (skew) => void skews.push(skew),
      failed: (error) => void failures.push(error),
      odd: () => undefined,
      counted: (unit, outcome) => void seen.push({ unit, outcome }),
    },
  });
  const failure = async (call: Promise<unknown>): Promise<UpstreamError> => {
    const error: unknown = await call.then(
      () => null,
      (reason: unknown) => reason,
    );
    if (!(error instanceof UpstreamError)) throw new Error(`no upstream error: ${String(error)}`);
    return error;
  };
  return { client, clock, seen, skews, failures, failure, stop };
}

const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  };
const Numbers = Type.Array(Type.Number());
const WRITE = { methods: ["POST"], path: "/api/v1/sensor/add" } as const;

test("[ingest] an answer is validated, counted, and yields the API's clock offset", async () => {
  const date = new Date(Date.UTC(2026, 10, 21, 3, 10, 0)).toUTCString();
  const { client, seen, skews } = await harness(json([1, 2], 200, { date }));
  expect(await client.get("/list", Numbers, { unit: "sensors" })).toEqual([1, 2]);
  expect(seen).toEqual([{ unit: "sensors", outcome: "answered" }]);
  expect(skews).toEqual([600_000]);
});

test("[ingest] an invalid answer, invalid JSON, or one that is too long is a permanent fault", async () => {
  const wrong = await harness(json({ one: 1 }));
  const text = await harness((_request, response) => response.end("<html>"));
  const long = await harness(json(Array(10_000).fill(1)));
  const errors = [
    await wrong.failure(wrong.client.get("/", Numbers)),
    await text.failure(text.client.get("/", Numbers)),
    await long.failure(long.client.get("/", Numbers, { limits: { bytes: 1_000 } })),
  ];
  for (const error of errors) {
    expect(error).toBeInstanceOf(UpstreamAnswerError);
    expect(error.shouldRetry()).toBe(false);
  }
});

test("[ingest] an empty body is null, which some APIs send", async () => {
  const { client } = await harness((_request, response) => response.writeHead(204).end());
  expect(await client.get("/", Type.Null())).toBeNull();
});

test("[POLL-3] a status determines if the fault is temporary, and how long to pause", async () => {
  const body = { status: 429, error: "Too Many", code: "too-many-requests", message: "slower" };
  const { client, failure } = await harness(json(body, 429, { "retry-after": "7" }));
  const error = await failure(client.get("/", Numbers));
  expect(error).toBeInstanceOf(UpstreamStatusError);
  expect(error).toMatchObject({
    status: 429,
    code: "too-many-requests",
    retryAfterMs: 7_000,
    temporary: true,
  });
  const gone = await harness(json({}, 404));
  expect(await gone.failure(gone.client.get("/", Numbers))).toMatchObject({
    status: 404,
    code: "",
    temporary: false,
  });
});

test("[spec 8] the message of a farm API without codes is kept; a code makes it unnecessary", async () => {
  const foreign = await harness(json({ timestamp: 1, message: "점검 중입니다" }, 409));
  expect(await foreign.failure(foreign.client.send(WRITE, Numbers))).toMatchObject({
    code: "",
    said: "점검 중입니다",
  });
  const ours = await harness(
    json({ status: 409, error: "Conflict", code: "conflict", message: "taken" }, 409),
  );
  expect(await ours.failure(ours.client.send(WRITE, Numbers))).toMatchObject({
    code: "conflict",
    said: null,
  });
});

test("[CMD-4] a post without an answer may have been executed; one that never connected was not", async () => {
  const { client, failure, stop, seen } = await harness((request) => void request.socket.destroy());
  expect(await failure(client.send(WRITE, Numbers, { json: {} }))).toMatchObject({ mayHaveExecuted: true });
  expect(await failure(client.get("/", Numbers))).toMatchObject({ mayHaveExecuted: false, temporary: true });
  await stop();
  expect(await failure(client.send(WRITE, Numbers, { json: {} }))).toMatchObject({ mayHaveExecuted: false });
  expect(seen.map(({ outcome }) => outcome)).toEqual(["refused", "refused", "refused"]);
});

test("[CMD-4] a call without an answer in time is aborted", async () => {
  const { client, failure, seen, failures } = await harness(() => undefined);
  const error = await failure(client.send(WRITE, Numbers, { json: {}, limits: { ms: 50 } }));
  expect(error).toMatchObject({ why: "timeout", mayHaveExecuted: true, temporary: true });
  expect(seen).toMatchObject([{ outcome: "timeout" }]);
  expect(failures).toEqual([error]);
});

test("[CRED-2] a redirect is not followed, so a token is sent to the API only", async () => {
  const { client, failure } = await harness((_request, response) =>
    response.writeHead(302, { location: "http://127.0.0.1:9/" }).end(),
  );
  expect(await failure(client.get("/", Numbers, { token: "t1" }))).toMatchObject({ why: "connection" });
});

test("[ingest] a call cancelled by its caller is not a fault of the API", async () => {
  const { client, failure, failures } = await harness(() => undefined);
  const giveUp = new AbortController();
  const call = failure(client.get("/", Numbers, { signal: giveUp.signal }));
  giveUp.abort();
  await call;
  expect(failures).toEqual([]);
});

test.each([
  ["7", 7_000],
  ["0", 0],
  ["-3", 0],
  [new Date(Date.UTC(2026, 10, 21, 3, 1, 0)).toUTCString(), 60_000],
  ["soon", null],
  [null, null],
])("[POLL-3] Retry-After %s is %s ms", (header, ms) => {
  expect(retryAfter(header, Date.UTC(2026, 10, 21, 3, 0, 0))).toBe(ms);
});

test.each([
  [true, 2],
  [false, 1],
])("[WAY-1] a write is sent in another way only while it is wanted: %s", async (isWanted, sends) => {
  let received = 0;
  const { client, failure } = await harness((_request, response) => {
    received += 1;
    response.writeHead(415).end();
  });
  const error = await failure(client.send(WRITE, Numbers, { json: { name: "a" }, isWanted: () => isWanted }));
  expect(error).toMatchObject({ status: 415 });
  expect(received).toBe(sends);
});
