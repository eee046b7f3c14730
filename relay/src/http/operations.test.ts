import fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFakeLink, type FakeLink } from "../../testing/fake-link.ts";
import { UpstreamStatusError, UpstreamUnreachableError } from "../upstream/errors.ts";
import { configRoute } from "./config-route.ts";
import { errorsPlugin } from "./errors.ts";
import { healthPlugin } from "./health.ts";
import { createMetrics, metricsPlugin, type PrometheusMetrics } from "./metrics.ts";
import { RelayError } from "./relay-error.ts";

describe("operations", () => {
  let relay: FastifyInstance;
  let link: FakeLink;
  let metrics: PrometheusMetrics;
  let delay: number;
  let missing: string[];
  let fault: unknown;

  beforeEach(async () => {
    link = createFakeLink();
    metrics = createMetrics();
    delay = 3.4;
    missing = [];
    relay = fastify();
    await relay.register(errorsPlugin);
    await relay.register(healthPlugin, { link, eventLoopP99: () => delay, shortcomings: () => missing });
    await relay.register(metricsPlugin, { metrics });
    await relay.register(configRoute, {
      apiTimezone: "Asia/Seoul",
      capabilities: {
        extensions: ["timed-run"],
        isKnown: true,
        has: () => false,
        listen: () => () => undefined,
      },
      build: "b1",
      mapStyleUrl: "/maps/style.json",
    });
    relay.get("/fault", () => Promise.reject(fault));
    relay.post("/echo", { bodyLimit: 100 }, async () => "ok");
  });
  afterEach(() => relay.close());

  const get = (url: string) => relay.inject({ method: "GET", url });

  it("[health] answers while the process runs, whatever is down", async () => {
    link.become({ upstream: "down", store: "down" });
    expect((await get("/health")).json()).toEqual({ status: "ok" });
  });

  it("[health] is ready while the API, the store and the event loop are", async () => {
    const answer = await get("/ready");
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        status: "ready",
        checks: {
          upstream: { ok: true, state: "up" },
          mqtt: { ok: true, state: "up" },
          storage: { ok: true, fault: null },
          store: { ok: true, state: "embedded", missing: [] },
          handles: { ok: true, open: expect.any(Number), limit: expect.any(Number) },
          eventLoop: { ok: true, p99Ms: 3 },
        },
      },
    ]);
  });

  it("[health] names what is missing when it is not ready", async () => {
    link.become({ upstream: "down" });
    delay = 250;
    const answer = await get("/ready");
    expect([answer.statusCode, answer.json()]).toMatchObject([
      503,
      { status: "not-ready", checks: { upstream: { ok: false }, eventLoop: { ok: false, p99Ms: 250 } } },
    ]);
  });

  it("[NODE-3] reports what the store lacks to keep its data safe", async () => {
    missing = ["Redis runs without an append-only file: set appendonly yes."];
    const answer = await get("/ready");
    expect(answer.json()).toMatchObject({ checks: { store: { missing } } });
  });

  it("[NODE-3] is not ready without its store, but ready without a broker", async () => {
    link.become({ mqtt: "down" });
    expect((await get("/ready")).statusCode).toBe(200);
    link.become({ store: "down" });
    expect((await get("/ready")).statusCode).toBe(503);
  });

  it("[storage] is not ready while the farm API stores no readings", async () => {
    link.become({ notStoring: { fault: "disk-full", since: 0 } });
    const answer = await get("/ready");
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toMatchObject({ checks: { storage: { ok: false, fault: "disk-full" } } });
  });

  it("[metrics] are for this machine only without a token, and for its bearers with one", async () => {
    const read = async (server: FastifyInstance, remoteAddress: string, headers = {}) =>
      (await server.inject({ url: "/metrics", remoteAddress, headers })).statusCode;
    expect(await read(relay, "127.0.0.1")).toBe(200);
    expect(await read(relay, "192.0.2.7")).toBe(401);
    // A proxy on this machine forwards a request of another client.
    expect(await read(relay, "127.0.0.1", { "x-forwarded-for": "192.0.2.7" })).toBe(401);
    const guarded = fastify();
    await guarded.register(errorsPlugin);
    await guarded.register(metricsPlugin, { metrics, token: "token-of-prometheus" });
    expect(await read(guarded, "192.0.2.7", { authorization: "Bearer token-of-prometheus" })).toBe(200);
    expect(await read(guarded, "192.0.2.7", { authorization: "Bearer token-of-a-stranger" })).toBe(401);
    expect(await read(guarded, "127.0.0.1")).toBe(401);
    await guarded.close();
  });

  it("[metrics] exports the counters as Prometheus text", async () => {
    metrics.tally("websocket").frames += 3;
    metrics.tally("socketio").sessions += 2;
    metrics.sessionEnded("websocket", 4008);
    metrics.upstreamCall("proof", "answered", 30);
    metrics.command("confirmed");
    metrics.availability("probing");
    metrics.sourceMessage("mqtt", "rejected");
    metrics.flushed(10);
    metrics.ownerTrouble("stale");
    metrics.caughtUp("snapshot", "behind");
    metrics.connectionRefused("limit");
    metrics.watchLink({
      link,
      upstreamOffsetMs: () => -7_000,
      shortcomings: () => ["no append-only file"],
      eventLoopP99: () => 12,
    });
    link.become({ store: "down" });
    metrics.watch(() => ({ accounts: 4, viewers: 5, pollStretch: 1.5, shards: 256, nodes: 1, node: "one" }));
    const answer = await get("/metrics");
    expect(answer.headers["content-type"]).toContain("text/plain");
    const lines = answer.body.split("\n");
    expect(lines).toEqual(
      expect.arrayContaining([
        'mulkko_relay_frames_sent_total{door="websocket"} 3',
        'mulkko_relay_sessions{door="socketio"} 2',
        'mulkko_relay_sessions_ended_total{door="websocket",code="4008"} 1',
        'mulkko_relay_upstream_seconds_bucket{le="0.05",unit="proof",outcome="answered"} 1',
        'mulkko_relay_commands_total{state="confirmed"} 1',
        'mulkko_relay_breaker{state="half-open"} 1',
        'mulkko_relay_breaker{state="open"} 0',
        'mulkko_relay_source_messages_total{source="mqtt",outcome="rejected"} 1',
        "mulkko_relay_flushed_keys_total 10",
        "mulkko_relay_accounts 4",
        "mulkko_relay_poll_stretch 1.5",
        'mulkko_relay_owner_troubles_total{trouble="stale"} 1',
        'mulkko_relay_catch_ups_total{by="snapshot",cause="behind"} 1',
        'mulkko_relay_connections_refused_total{reason="limit"} 1',
        'mulkko_relay_link{part="store",state="down"} 1',
        'mulkko_relay_link{part="store",state="embedded"} 0',
        'mulkko_relay_link{part="upstream",state="up"} 1',
        "mulkko_relay_upstream_clock_offset_seconds -7",
        "mulkko_relay_store_shortcomings 1",
        "mulkko_relay_event_loop_p99_seconds 0.012",
      ]),
    );
  });

  it("[config] returns what a client needs before a sign-in", async () => {
    expect((await get("/relay/config")).json()).toEqual({
      apiTimezone: "Asia/Seoul",
      extensions: ["timed-run"],
      build: "b1",
      mapStyleUrl: "/maps/style.json",
    });
  });

  describe("errors", () => {
    const cases: [string, unknown, number, string][] = [
      ["an error of our own", new RelayError(409, "conflict", "no"), 409, "conflict"],
      [
        "an API that is away",
        new UpstreamUnreachableError("x", "timeout", { mayHaveExecuted: false }),
        503,
        "upstream-down",
      ],
      ["an API that fails", new UpstreamStatusError("x", 500, "", null), 503, "upstream-down"],
      ["an API that says 403", new UpstreamStatusError("x", 403, "", null), 403, "forbidden"],
      ["an unexpected fault", new Error("password=hunter2"), 500, "internal"],
      ["a thrown text", "boom", 500, "internal"],
    ];
    it.each(cases)("[errors] %s answers in the contract's shape", async (_name, error, status, code) => {
      fault = error;
      const answer = await get("/fault");
      expect([answer.statusCode, answer.json()]).toMatchObject([status, { status, code }]);
      expect(answer.body).not.toMatch(/hunter2|stack|at .*\.ts/);
      expect(answer.headers["x-request-id"]).toBeDefined();
    });

    it("[errors] a body with invalid JSON is malformed, a large one too large", async () => {
      const headers = { "content-type": "application/json" };
      const broken = await relay.inject({ method: "POST", url: "/echo", headers, payload: "{" });
      expect([broken.statusCode, broken.json()]).toMatchObject([400, { code: "malformed" }]);
      const large = await relay.inject({
        method: "POST",
        url: "/echo",
        headers,
        payload: `"${"x".repeat(200)}"`,
      });
      expect([large.statusCode, large.json()]).toMatchObject([413, { code: "too-large" }]);
    });
  });
});
