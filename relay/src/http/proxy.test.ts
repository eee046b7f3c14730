import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { OPERATIONS } from "@mulkko/shared/rest/operations/table";
import { nodeTimers } from "@mulkko/shared/server/node-timers";
import { eventually } from "@mulkko/shared/testing/eventually";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FakeApi, startFakeApi } from "../../testing/fake-api.ts";
import { createFakeFarm, type FakeFarm } from "../../testing/fake-farm.ts";
import { createFakeMetrics, type FakeMetrics } from "../../testing/fake-metrics.ts";
import { createRecordedEnds } from "../../testing/recorded-ends.ts";
import type { OwnSignIn } from "../access/own-sessions.ts";
import { createCallEffects } from "./call-effects.ts";
import { errorsPlugin } from "./errors.ts";
import { farmCallPlugin } from "./farm-call.ts";
import { loggingOptions } from "./logging.ts";
import { createProxiedApi } from "./proxied-api.ts";
import { createLateCheck, proxyPlugin } from "./proxy.ts";
import { createShares } from "./shares/shares.ts";

const MIB = 1024 * 1024;

describe("proxy", () => {
  let api: FakeApi;
  let farm: FakeFarm;
  let metrics: FakeMetrics;
  let relay: FastifyInstance;
  let origin: string;
  let lines: string[];
  /** Ends of access by the calls, as `kind account`. */
  let ended: string[];
  let signIn: OwnSignIn;

  beforeEach(async () => {
    api = await startFakeApi();
    const clock = createFakeClock();
    farm = createFakeFarm(clock);
    metrics = createFakeMetrics();
    lines = [];
    signIn = async () => null;
    relay = fastify({
      ...loggingOptions({ level: "trace", stream: { write: (line) => lines.push(line) } }),
      trustProxy: () => false,
    });
    await relay.register(errorsPlugin);
    await relay.register(farmCallPlugin, { imagePrefixes: ["/images"] });
    const recorded = createRecordedEnds();
    ended = recorded.seen;
    const effects = createCallEffects({ owners: farm.owners, ends: recorded.ends, prover: farm.prover });
    const shares = createShares(nodeTimers);
    relay.addHook("onClose", () => shares.calls.close());
    await relay.register(proxyPlugin, {
      api: createProxiedApi(api.origin, effects, metrics, clock, shares),
      imagePrefixes: ["/images"],
      signIn: (login, headers) => signIn(login, headers),
      prover: farm.prover,
      closeFirst: async () => undefined,
      refuseLate: createLateCheck(clock, () => clock.monotonic()),
      loginLimits: { perAddress: 6, perAddressAndName: 3, windowMs: 60_000 },
    });
    origin = await relay.listen({ host: "127.0.0.1", port: 0 });
  });
  afterEach(async () => {
    await relay.close();
    await api.close();
  });

  const call = (path: string, init?: RequestInit): Promise<Response> => fetch(`${origin}${path}`, init);
  const login = (body: unknown): Promise<Response> =>
    call("/api/account/login", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });

  describe("late mode calls", () => {
    const MODE = "/api/v1/controller/channel/11/mode";
    const put = (at: number, more: Readonly<Record<string, string>> = {}, path = MODE) =>
      call(path, {
        method: "PUT",
        headers: {
          "content-type": "application/json",
          "x-pressed-at": new Date(at).toISOString(),
          ...more,
        },
        body: '{"active":"automatic"}',
      });

    it("[CMD-16] are refused 15 s after they were given, and nothing reaches the farm API", async () => {
      const now = createFakeClock().now();
      expect((await put(now - 15_000)).status).toBe(200);
      const passed = api.requests.length;
      for (const late of [
        await put(now - 15_001),
        await put(now - 10_000, { "x-pressed-within-ms": "6000" }),
        await put(now - 16_000, {}, "/api/v1/controller/channel/11/trigger/7"),
      ]) {
        expect([late.status, await late.json()]).toMatchObject([409, { code: "command-expired" }]);
      }
      expect((await put(now, { "x-pressed-within-ms": "soon" })).status).toBe(400);
      expect(api.requests.length).toBe(passed);
      // A press time ahead of the relay's clock counts as the arrival; other calls have no press time.
      expect((await put(now + 3_600_000)).status).toBe(200);
      expect((await put(now - 60_000, {}, "/api/v1/sensor/update")).status).toBe(200);
      expect(JSON.stringify(api.requests.map(({ headers }) => headers))).not.toContain("x-pressed");
    });
  });

  describe("stored calls", () => {
    const put = (account: string) =>
      call("/api/v1/controller/channel/11/mode", {
        method: "PUT",
        headers: {
          authorization: "Bearer token",
          "content-type": "application/json",
          "idempotency-key": "b0f0c2a4-mode-off",
          "x-for-account": account,
        },
        body: '{"active":"none"}',
      });

    it("[CMD-8] pass only with a token of their account, and without its name", async () => {
      farm.grant("token", "u1");
      const other = await put("u2");
      expect([other.status, await other.json()]).toMatchObject([409, { code: "other-account" }]);
      expect(api.requests).toEqual([]);
      expect((await put("u1")).status).toBe(200);
      expect(api.requests[0]?.headers).toMatchObject({ "idempotency-key": "b0f0c2a4-mode-off" });
      expect(api.requests[0]?.headers).not.toHaveProperty("x-for-account");
    });
  });

  describe("passed requests", () => {
    it("[proxy] passes path, query, headers, body and answer byte for byte", async () => {
      api.answer((_request, response) => {
        response.writeHead(409, { "content-type": "application/json;charset=UTF-8", "x-from": "api" });
        response.end('{ "code" :"conflict"}');
      });
      const answer = await call("/api/v1/cluster/add?x=%EB%AC%BC%20a+b", {
        method: "POST",
        headers: { "content-type": "application/json", authorization: "Bearer token-a" },
        body: '{ "name" : "1호",  "n": 1.0 }',
      });
      expect([answer.status, answer.headers.get("x-from"), await answer.text()]).toEqual([
        409,
        "api",
        '{ "code" :"conflict"}',
      ]);
      expect(api.requests).toMatchObject([
        {
          method: "POST",
          url: "/api/v1/cluster/add?x=%EB%AC%BC%20a+b",
          headers: { authorization: "Bearer token-a" },
        },
      ]);
      expect(api.requests[0]?.body.toString()).toBe('{ "name" : "1호",  "n": 1.0 }');
    });

    it("[photo] passes a photo from any path of the API, requested without credentials", async () => {
      api.answer((_request, response) =>
        response.writeHead(200, { "content-type": "image/jpeg" }).end("jpg"),
      );
      const headers = { authorization: "Bearer t", cookie: "a=b" };
      for (const path of ["/upload/2024/a.JPG", "/a.png?v=2", "/%EC%82%AC%EC%A7%84/1.webp"]) {
        const answer = await call(`/relay/photo${path}`, { headers });
        expect([answer.status, answer.headers.get("content-type"), await answer.text()]).toEqual([
          200,
          "image/jpeg",
          "jpg",
        ]);
        expect(api.requests.at(-1)?.url).toBe(path);
        expect(api.requests.at(-1)?.headers).not.toHaveProperty("authorization");
        expect(api.requests.at(-1)?.headers).not.toHaveProperty("cookie");
      }
    });

    it("[photo] passes only photos on this route", async () => {
      const { hostname, port } = new URL(origin);
      const raw = (path: string, method = "GET") =>
        new Promise<number | undefined>((resolve, reject) => {
          const request = httpRequest({ hostname, port, method, path }, (answer) => {
            answer.resume();
            resolve(answer.statusCode);
          });
          request.on("error", reject).end();
        });
      const refused = [
        "/api/v1/sensor/list",
        "/upload/a.svg",
        "/upload/a.png/",
        "/upload/../admin/a.png",
        "/upload/..%2fadmin/a.png",
        "/upload/%2e%2e/a.png",
        "/upload/..%5ca.png",
        "/a.png%00",
      ];
      for (const path of refused) expect([path, await raw(`/relay/photo${path}`)]).toEqual([path, 404]);
      expect(await raw("/relay/photo/a.png", "DELETE")).toBe(404);
      expect(api.requests).toEqual([]);
      for (const [status, type] of [
        [200, "text/html"],
        [200, "image/svg+xml"],
        [401, "application/json"],
        [500, "image/png"],
      ] as const) {
        api.answer((_request, response) =>
          response.writeHead(status, { "content-type": type, "set-cookie": "a=b" }).end("<script>"),
        );
        const answer = await call("/relay/photo/upload/a.png");
        expect(answer.status).toBe(404);
        expect(answer.headers.get("set-cookie")).toBeNull();
        expect(await answer.json()).toMatchObject({ code: "not-found" });
      }
    });

    it("[proxy] passes image files", async () => {
      api.answer((_request, response) => response.writeHead(200, { "content-type": "image/png" }).end("png"));
      const answer = await call("/images/a1b2.png");
      expect([answer.headers.get("content-type"), await answer.text()]).toEqual(["image/png", "png"]);
      expect(api.requests[0]?.url).toBe("/images/a1b2.png");
    });

    it("[proxy] replaces the forwarding headers, and adds a request id", async () => {
      await call("/api/v1/noti/list", {
        headers: { "x-forwarded-for": "1.2.3.4", "x-real-ip": "1.2.3.4", "x-request-id": "trace-7" },
      });
      expect(api.requests[0]?.headers).toMatchObject({
        "x-forwarded-for": "127.0.0.1",
        "x-forwarded-proto": "http",
        "x-forwarded-host": new URL(origin).host,
        "x-request-id": "trace-7",
      });
      expect(api.requests[0]?.headers).not.toHaveProperty("x-real-ip");
    });

    it("[proxy] handles Expect: 100-continue of an upload without passing it to the API", async () => {
      api.answer((_request, response) => response.end("taken"));
      const { hostname, port } = new URL(origin);
      const headers = { expect: "100-continue", "content-type": "image/png", "content-length": 3 };
      const upload = httpRequest({ hostname, port, method: "PUT", path: "/api/v1/image", headers });
      upload.once("continue", () => upload.end("png"));
      upload.flushHeaders();
      const [answer] = await once(upload, "response");
      answer.resume();
      expect(answer.statusCode).toBe(200);
      expect(api.requests[0]?.body.toString()).toBe("png");
      expect(api.requests[0]?.headers).not.toHaveProperty("expect");
    });

    it.each([
      { "keep-alive": "timeout=5" },
      { upgrade: "h2c", connection: "upgrade" },
      { te: "trailers" },
      { "proxy-connection": "keep-alive" },
    ])("[proxy] does not pass on the hop-by-hop header %j", async (headers) => {
      api.answer((_request, response) => response.end("taken"));
      const { hostname, port } = new URL(origin);
      const asking = httpRequest({ hostname, port, path: "/api/v1/noti/list", headers }).end();
      const [answer] = await once(asking, "response");
      answer.resume();
      expect(answer.statusCode).toBe(200);
      for (const name of Object.keys(headers)) {
        if (name !== "connection") expect(api.requests[0]?.headers).not.toHaveProperty(name);
      }
    });

    it.each(["", "Expect: 100-continue\r\n"])(
      "[proxy] outlives a client that hangs up in the middle of an upload (%j)",
      async (expecting) => {
        api.answer((_request, response) => response.writeHead(401).end());
        const { hostname, port } = new URL(origin);
        for (let n = 0; n < 5; n += 1) {
          const socket = connect(Number(port), hostname);
          await once(socket, "connect");
          const asked = once(relay.server, "request");
          socket.write(
            `PUT /api/v1/image HTTP/1.1\r\nHost: x\r\nContent-Type: image/png\r\n${expecting}Content-Length: 4000000\r\n\r\n${"x".repeat(200_000)}`,
          );
          await asked;
          await new Promise((resolve) => setTimeout(resolve, n * 3));
          socket.resetAndDestroy();
          await once(socket, "close");
        }
        expect((await call("/api/v1/noti/list")).status).toBe(401);
        await eventually(() => expect(lines.filter((line) => line.includes("/api/v1/image")).length).toBe(5));
      },
    );

    it("[proxy] does not leave the prefix", async () => {
      const answer = await relay.inject({ method: "GET", url: "/api/..%2f..%2fmetrics" });
      expect([answer.statusCode, api.requests]).toEqual([400, []]);
    });
  });

  describe("login", () => {
    const pair = { accessToken: "access-secret-1", refeshToken: "refresh-secret-1" };

    it("[proxy] turns the JSON body into the query of the plain contract", async () => {
      api.answer((_request, response) => response.end(JSON.stringify(pair)));
      const answer = await login({ username: "farmer", password: "pass&word=물 +1" });
      expect(await answer.json()).toEqual(pair);
      const [request] = api.requests;
      expect([request?.method, request?.body.length]).toEqual(["POST", 0]);
      const url = new URL(request?.url ?? "", origin);
      expect([url.pathname, Object.fromEntries(url.searchParams)]).toEqual([
        "/api/account/login",
        { username: "farmer", password: "pass&word=물 +1" },
      ]);
    });

    it("[CRED-1] signs in for the relay first, from the user's address, and then for the user", async () => {
      const seen: unknown[] = [];
      signIn = async (said, headers) => {
        seen.push([said, headers["x-forwarded-for"], api.requests.length]);
        return null;
      };
      api.answer((_request, response) => response.end(JSON.stringify(pair)));
      await login({ username: "farmer", password: "word" });
      expect(seen).toEqual([[{ username: "farmer", password: "word" }, "127.0.0.1", 0]]);
      expect(api.requests).toHaveLength(1);
      await login({ username: "farmer" });
      expect(seen).toHaveLength(1);
    });

    it("[proxy] answers 422 to a missing name or password, without a request to the API", async () => {
      const answer = await login({ username: "farmer" });
      expect([answer.status, await answer.json()]).toEqual([
        422,
        {
          status: 422,
          error: "Unprocessable Entity",
          code: "validation",
          message: "username and password are required",
          errors: [{ field: "password", defaultMessage: "is required" }],
        },
      ]);
      expect(api.requests).toEqual([]);
    });

    it("[proxy] passwords, tokens and query strings are in no log line", async () => {
      api.answer((_request, response) => response.end(JSON.stringify(pair)));
      await login({ username: "farmer", password: "hidden-1" });
      await call("/api/account/login?username=farmer&password=hidden-2", { method: "POST" });
      await call("/nowhere?password=hidden-3");
      await call("/api/account/login", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: '{"password":"hidden-4",',
      });
      await call("/api/v1/noti/list?password=hidden-5", {
        headers: { authorization: "Bearer hidden-6", cookie: "hidden-7", refreshToken: "hidden-8" },
      });
      await api.close();
      await login({ username: "farmer", password: "hidden-9" });
      relay.log.warn(
        { password: "hidden-10", request: { headers: { authorization: "hidden-11" } } },
        "tried",
      );
      const error = Object.assign(new Error("GET http://api/login?password=hidden-12 failed"), {
        url: "hidden-13",
      });
      relay.log.error({ err: error }, "tried");
      const text = lines.join("");
      expect(lines.length).toBeGreaterThan(8);
      expect(text).not.toMatch(/hidden|secret-1/);
    });

    it("[proxy] limits logins by address and name, and sends Retry-After", async () => {
      api.answer((_request, response) => response.writeHead(401).end());
      const attempts = [];
      for (let count = 0; count < 4; count += 1)
        attempts.push(await login({ username: "Farmer", password: "x" }));
      expect(attempts.map(({ status }) => status)).toEqual([401, 401, 401, 429]);
      expect(attempts[3]?.headers.get("retry-after")).toBe("60");
      expect(await attempts[3]?.json()).toMatchObject({ status: 429, code: "too-many-requests" });
      expect((await login({ username: "neighbor", password: "x" })).status).toBe(401);
    });

    it("[proxy] limits logins by address over all names", async () => {
      api.answer((_request, response) => response.writeHead(401).end());
      const statuses = [];
      for (let count = 0; count < 7; count += 1) {
        statuses.push((await login({ username: `name-${count}`, password: "x" })).status);
      }
      expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 429]);
    });
  });

  describe("bodies", () => {
    beforeEach(() => farm.grant("token", "u1"));
    const authorization = "Bearer token";
    const post = (bytes: number, type: string): Promise<Response> =>
      call("/api/v1/sensor/add", {
        method: "POST",
        headers: { "content-type": type, authorization },
        body: Buffer.alloc(bytes, "x"),
      });

    it("[proxy] answers 413 to 10 MB in the contract's shape", async () => {
      const answer = await post(10 * 1000 * 1000, "application/json");
      expect([answer.status, await answer.json()]).toEqual([
        413,
        {
          status: 413,
          error: "Payload Too Large",
          code: "too-large",
          message: `the body exceeds ${MIB} bytes`,
        },
      ]);
      expect(api.requests).toEqual([]);
    });

    it("[proxy] cuts a body without a declared length", async () => {
      const chunks = new ReadableStream<Uint8Array>({
        start(controller) {
          for (let count = 0; count < 40; count += 1) controller.enqueue(new Uint8Array(MIB / 16));
          controller.close();
        },
      });
      const headers = { "content-type": "text/plain", authorization };
      const init: RequestInit = { method: "POST", body: chunks, headers };
      const answer = await call("/api/v1/sensor/add", Object.assign(init, { duplex: "half" }));
      expect([answer.status, await answer.json()]).toMatchObject([413, { code: "too-large" }]);
      expect(api.requests).toEqual([]);
    });

    it("[proxy] accepts a larger multipart body, up to its own limit", async () => {
      const type = "multipart/form-data; boundary=b";
      expect((await post(5 * MIB, type)).status).toBe(200);
      expect(api.requests[0]?.body.length).toBe(5 * MIB);
      expect((await post(7 * MIB, type)).status).toBe(413);
    });

    it("[SHARE-4] refuses a large body of a caller without an account before it is read", async () => {
      const headers = { "content-type": "text/plain" };
      const send = (bytes: number, more: object = {}) =>
        call("/api/account/recover", {
          method: "POST",
          headers: { ...headers, ...more },
          body: Buffer.alloc(bytes, "x"),
        });
      expect((await send(64 * 1024)).status).toBe(200);
      expect((await send(64 * 1024 + 1)).status).toBe(401);
      expect((await send(64 * 1024 + 1, { authorization: "Bearer unknown" })).status).toBe(401);
      expect((await send(64 * 1024 + 1, { authorization })).status).toBe(200);
      farm.refuse("upstream-down");
      expect((await send(64 * 1024 + 1, { authorization: "Bearer unknown" })).status).toBe(503);
      expect(api.requests.length).toBe(2);
    });
  });

  describe("faults of the API", () => {
    const down = { status: 503, error: "Service Unavailable", code: "upstream-down" };

    it.each([502, 504])("[proxy] a %i from a gateway becomes 503 upstream-down", async (status) => {
      api.answer((_request, response) => {
        response.writeHead(status, { "content-type": "text/html", "content-length": "4" }).end("oops");
      });
      const answer = await call("/api/v1/noti/list");
      expect([answer.status, await answer.json()]).toMatchObject([503, down]);
      expect(metrics.calls).toEqual([{ unit: "proxy", outcome: "failed" }]);
    });

    it("[proxy] an unreachable API, or one that hangs up, becomes 503 upstream-down", async () => {
      api.answer((_request, response) => response.destroy());
      expect([(await call("/api/v1/noti/list")).status]).toEqual([503]);
      await api.close();
      const answer = await call("/api/v1/noti/list");
      expect([answer.status, await answer.json()]).toMatchObject([503, down]);
      expect(metrics.calls).toEqual([
        { unit: "proxy", outcome: "refused" },
        { unit: "proxy", outcome: "refused" },
      ]);
    });

    it("[proxy] a 503 of the API is passed on, and nothing is sent twice", async () => {
      api.answer((_request, response) =>
        response.writeHead(503, { "retry-after": "1" }).end('{"code":"broker-down"}'),
      );
      const answer = await call("/api/v1/noti/list");
      expect([answer.status, await answer.json()]).toEqual([503, { code: "broker-down" }]);
      expect(api.requests).toHaveLength(1);
    });
  });

  describe("effects on the relay", () => {
    const bearer = { authorization: "Bearer token-a" };

    it("[POLL-8] a successful write makes the account's owner poll again", async () => {
      farm.grant("token-a", "a");
      await call("/api/v1/cluster/update/7?x=1", { method: "PUT", headers: bearer });
      await call("/api/v1/cluster/list", { headers: bearer });
      api.answer((_request, response) => response.writeHead(422).end());
      await call("/api/v1/cluster/add", { method: "POST", headers: bearer });
      expect(farm.written).toEqual([{ accountId: "a", path: "/api/v1/cluster/update/7" }]);
    });

    it("[POLL-8] an administrator's write names the device's owner, and reaches the API byte for byte", async () => {
      farm.grant("token-a", "a");
      const body = JSON.stringify({ userId: "b", name: "Soil 2", serial: "100002" });
      await call("/api/v1/admin/sensor/add", {
        method: "POST",
        headers: { ...bearer, "content-type": "application/json" },
        body,
      });
      expect(farm.written).toEqual([{ accountId: "a", path: "/api/v1/admin/sensor/add", named: "b" }]);
      expect(api.requests.at(-1)?.body.toString()).toBe(body);
    });

    it("[AUTH-4] a call that may have revoked tokens ends them once it has succeeded, by its kind", async () => {
      farm.grant("token-a", "a");
      const endedBy = async (method: string, path: string) => {
        await call(path, { method, headers: bearer });
        return ended.splice(0);
      };
      api.answer((_request, response) => response.writeHead(422).end());
      expect(await endedBy("PUT", "/api/v1/admin/user/update/b")).toEqual([]);
      expect(await endedBy("PUT", "/api/v1/admin/user/changepassword/b")).toEqual([]);
      api.answer((_request, response) => response.end());
      expect(await endedBy("PUT", "/api/v1/admin/user/update/b")).toEqual(["changed b"]);
      expect(await endedBy("PUT", "/api/v1/admin/user/changepassword/b%20c")).toEqual(["password b c"]);
      expect(await endedBy("DELETE", "/api/v1/admin/user/delete/b")).toEqual(["deleted b"]);
      expect(await endedBy("GET", "/api/v1/admin/user/info/b")).toEqual([]);
      expect(await endedBy("GET", "/api/v1/session")).toEqual([]);
      await call("/api/account/password", { method: "POST", headers: bearer });
      await expect.poll(() => ended.splice(0)).toEqual(["password a"]);
      await call("/api/account/logout", { headers: bearer });
      await expect.poll(() => ended.splice(0)).toEqual(["changed a"]);
      await call("/api/v1/session/s1", { method: "DELETE", headers: bearer });
      await expect.poll(() => ended.splice(0)).toEqual(["changed a"]);
    });

    const ending = OPERATIONS.flatMap(({ ends, methods, path }) =>
      ends === undefined ? [] : methods.map((method) => ({ method, path, ...ends })),
    );
    const KINDS = {
      ...{ session: "changed", change: "changed", unknown: "changed" },
      ...{ password: "password", account: "deleted" },
    } as const;
    it.each([
      ...ending,
      // Writes that no row knows may end an access, too.
      { method: "POST", path: "/api/v1/admin/user/:id/disable", of: "id", what: "unknown" },
      { method: "PATCH", path: "/api/account/deactivate", of: "caller", what: "unknown" },
      { method: "DELETE", path: "/api/v1/admin/users/:id", of: "id", what: "account" },
    ] as const)("[AUTH-4] $method $path ends access by its kind, once it has succeeded", async (row) => {
      farm.grant("token-a", "a");
      const path = row.path.replace(":id", "b");
      const send = () => call(path, { method: row.method, headers: bearer });
      api.answer((_request, response) => response.writeHead(422).end());
      await send();
      api.answer((_request, response) => response.end());
      await send();
      const end = `${KINDS[row.what]} ${row.of === "caller" ? "a" : "b"}`;
      await expect.poll(() => ended).toContain(end);
      // Any part of an unknown path may be the account.
      if (row.what !== "unknown") expect(ended).toEqual([end]);
    });

    it("[AUTH-4] no other call ends any access", async () => {
      farm.grant("token-a", "a");
      api.answer((_request, response) => response.end());
      for (const { ends, methods, path, answeredByRelay } of OPERATIONS) {
        if (ends !== undefined || answeredByRelay === true) continue;
        const url = path.replaceAll(/:\w+/g, "7");
        for (const method of methods) await call(url, { method, headers: bearer });
      }
      expect(ended).toEqual([]);
    });

    it("[AUTH-4] a 401 to a call with a token rejects the token; a 403 does not", async () => {
      api.answer((_request, response) => response.writeHead(403).end());
      await call("/api/v1/noti/list", { headers: bearer });
      api.answer((_request, response) => response.writeHead(401).end());
      await call("/api/account/update/refresh", { method: "PUT", headers: { ...bearer, refreshToken: "r" } });
      await call("/api/v1/noti/list");
      expect(farm.rejected).toEqual([]);
      await call("/api/v1/noti/list", { headers: bearer });
      expect(farm.rejected).toEqual(["token-a"]);
    });
  });
});
