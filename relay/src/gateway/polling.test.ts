import { parseJson } from "@mulkko/shared/schema/parse";
import { io } from "socket.io-client";
import { Type } from "typebox";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { type GatewayHarness, startGatewayHarness } from "../../testing/gateway-harness.ts";
import { connectPolling } from "../../testing/live-client.ts";
import { until } from "../../testing/until.ts";
import { POLLING_HEADER } from "./socketio-transport.ts";

const PATH = "/socket.io/?EIO=4&transport=polling";
const Opened = Type.Object({ sid: Type.String() });
const HELLO = '42["hello",{"t":"hello","protocol":1,"token":"token-a"}]';

/** Tests specific to polling, where a connection is a series of requests. */
describe("Socket.IO over polling", () => {
  let harness: GatewayHarness;
  beforeEach(async () => {
    harness = await startGatewayHarness();
    harness.farm.grant("token-a", "a");
  });
  afterEach(() => harness.close());

  const ask = (query = "", init: RequestInit = {}): Promise<Response> =>
    fetch(`${harness.origin}${PATH}${query}`, init);
  const poll = async (sid: string): Promise<string> => (await ask(`&sid=${sid}`)).text();
  const post = (sid: string, body: string): Promise<Response> =>
    ask(`&sid=${sid}`, { method: "POST", body, headers: { "content-type": "text/plain;charset=UTF-8" } });
  async function open(): Promise<string> {
    const text = await (await ask()).text();
    const opened = parseJson(Opened, text.slice(1));
    if (!opened.ok) throw new Error(`no connection: ${text}`);
    return opened.value.sid;
  }
  /** Poll until the text has arrived. */
  async function pollFor(sid: string, wanted: string): Promise<string> {
    let received = "";
    while (!received.includes(wanted)) received += await poll(sid);
    return received;
  }
  async function enter(): Promise<string> {
    const sid = await open();
    await post(sid, "40");
    await pollFor(sid, "40{");
    await post(sid, HELLO);
    await pollFor(sid, '"t":"link"');
    return sid;
  }
  const leave = (sid: string): Promise<Response> => post(sid, "1");

  it("[NODE-1] names the connection in the first answer only, for a load balancer", async () => {
    const first = await ask();
    const sid = first.headers.get(POLLING_HEADER) ?? "";
    expect(await first.text()).toContain(`"sid":"${sid}"`);
    const said = await post(sid, "40");
    expect(said.headers.has(POLLING_HEADER)).toBe(false);
    await leave(sid);
  });

  it("[DOOR-2] a program without options begins with polling, changes to a WebSocket, and misses nothing", async () => {
    await harness.app.close();
    harness = await startGatewayHarness({ sessionsPerAddress: 2 });
    harness.farm.grant("token-a", "a");
    const socket = io(harness.origin, { forceNew: true, reconnection: false });
    const ways: string[] = [];
    socket.io.engine.on("upgrade", ({ name }) => void ways.push(name));
    const received: string[] = [];
    socket.onAny((event: string, ...parameters: unknown[]) => {
      const answer = parameters.at(-1);
      if (event === "marker" && typeof answer === "function") answer();
      else received.push(event);
    });
    socket.on("connect", () => socket.emit("hello", { t: "hello", protocol: 1, token: "token-a" }));
    await until(async () => ways.length > 0 && received.includes("link"));
    expect(ways).toEqual(["websocket"]);
    expect(received[0]).toBe("welcome");
    socket.emit("subscribe", { t: "subscribe", stream: "devices" });
    await until(async () => received.includes("snapshot"));
    // Its first place is free again: another client finds one.
    await until(async () => {
      const answer = await ask();
      if (answer.status === 200) await leave(answer.headers.get(POLLING_HEADER) ?? "");
      return answer.status === 200;
    });
    socket.disconnect();
  });

  it("[DOOR-2] holds a place from the first poll until the end of the connection", async () => {
    await harness.app.close();
    harness = await startGatewayHarness({ sessionsPerAddress: 1 });
    const sid = await open();
    expect((await ask()).status).toBe(429);
    expect(harness.metrics.refused).toEqual(["limit"]);
    await leave(sid);
    await until(async () => {
      const answer = await ask();
      if (answer.status === 200) await leave(answer.headers.get(POLLING_HEADER) ?? "");
      return answer.status === 200;
    });
    // An opening rejected by Engine.IO releases its place.
    for (let count = 0; count < 3; count += 1)
      expect((await fetch(`${harness.origin}/socket.io/?EIO=3&transport=polling`)).status).toBe(400);
    await until(async () => (await ask()).status === 200);
  });

  it.each([
    ["JSONP, whose answers any page can read", "&j=0", {}, 400],
    ["a request for an image on a foreign page", "", { "sec-fetch-site": "cross-site" }, 403],
    ["a page of another origin", "", { origin: "https://evil.example" }, 403],
    ["an unopened connection", "&sid=nobody", {}, 400],
  ])("[DOOR-2] refuses %s", async (_name, query, headers, status) => {
    expect((await ask(query, { headers })).status).toBe(status);
  });

  it("[DOOR-2] lets a page of a named origin read the answers", async () => {
    const answer = await ask("", { headers: { origin: "https://farm.example" } });
    expect(answer.headers.get("access-control-allow-origin")).toBe("https://farm.example");
    await leave(answer.headers.get(POLLING_HEADER) ?? "");
  });

  it("[DOOR-2] changes no connection to a WebSocket that is not there", async () => {
    const sid = crypto.randomUUID();
    const url = `${harness.origin.replace("http", "ws")}/socket.io/?EIO=4&transport=websocket&sid=${sid}`;
    const refused = await new Promise((resolve) => {
      new WebSocket(url).once("unexpected-response", (_request, answer) => resolve(answer.statusCode));
    });
    expect(refused).toBe(400);
  });

  const authOf = (kib: number): string => `42["auth",{"t":"auth","token":"${"x".repeat(kib * 1024)}"}]`;

  it("[HS-5] takes two large frames in one request, as a browser joins them", async () => {
    const sid = await enter();
    expect((await post(sid, [authOf(60), authOf(60)].join("\u001e"))).status).toBe(200);
    await pollFor(sid, '"t":"error"');
    await leave(sid);
  });

  it("[HS-5] ends the connection of a frame over 64 KiB", async () => {
    const sid = await enter();
    await post(sid, authOf(65));
    await until(async () => (await ask(`&sid=${sid}`)).status === 400);
  });

  it("[HS-5] answers 413 to a body over 128 KiB, and reads no further", async () => {
    const sid = await enter();
    expect((await post(sid, authOf(129))).status).toBe(413);
    await leave(sid);
  });

  it("[DOOR-2] ends the connection after a second poll at the same time", async () => {
    const sid = await enter();
    const polls = await Promise.all([ask(`&sid=${sid}`), ask(`&sid=${sid}`)]);
    expect(polls.map(({ status }) => status)).toContain(400);
    await until(() => harness.metrics.ended.length === 1);
  });

  it("[HS-5] counts many messages in one body one by one", async () => {
    const sid = await enter();
    const unsubscribe = '42["unsubscribe",{"t":"unsubscribe","stream":"events"}]';
    await post(sid, Array<string>(40).fill(unsubscribe).join("\u001e"));
    await until(() => harness.metrics.ended.length === 1);
    expect(harness.metrics.ended).toEqual([{ transport: "socketio", code: 4400 }]);
  });

  it("[DOOR-2] ends the connection after a flood of pongs", async () => {
    const sid = await enter();
    let posted = 0;
    await until(async () => {
      posted += 1;
      return (await post(sid, "3").catch(() => null))?.status !== 200;
    });
    expect(posted).toBeLessThan(30);
    await until(() => harness.metrics.ended.length === 1);
  });

  it("[LIVE-3] sends the close reason with the next poll of a client between two polls; other requests go elsewhere", async () => {
    const sid = await enter();
    const closed = harness.app.close();
    await until(() => harness.metrics.ended.length === 1);
    expect((await fetch(`${harness.origin}/live`)).status).toBe(503);
    expect((await ask()).status).toBe(503);
    expect(await pollFor(sid, "bye")).toContain('"code":4001');
    await leave(sid);
    await closed;
  });

  it("[LIVE-3] waits no longer for a client that stopped polling than for any other", async () => {
    const sid = await enter();
    const other = await connectPolling(harness.origin);
    let isClosed = false;
    const closed = harness.app.close().then(() => {
      isClosed = true;
    });
    await until(() => harness.metrics.ended.length === 2);
    await other.gone;
    expect(isClosed).toBe(false);
    harness.timers.advance(5_000);
    await closed;
    expect(sid).not.toBe("");
  });
});
