import { CLOSE } from "@mulkko/shared/live/close-codes";
import { settle } from "@mulkko/shared/testing/fake-timers";
import { describe, expect, it } from "vitest";
import { ASK_AGAIN_MS } from "./connection.ts";
import {
  type Bench,
  createBench,
  devicesSnapshot,
  eventsSnapshot,
  type FakeSocket,
  sensorValue,
} from "./testing/fake-relay.ts";

const byeOf = (code: number, retryAfterMs = 0) => ({ t: "bye", code, reason: "test", retryAfterMs }) as const;

/** Start a client and welcome it; both its subscribes have arrived. */
async function connected(
  options: { readonly as?: string; readonly welcome?: Parameters<Bench["welcome"]>[0] } = {},
) {
  const bench = createBench(undefined, options.as);
  bench.start();
  return { bench, socket: await bench.welcome(options.welcome) };
}

/** Send the snapshots of both streams. */
function sync(socket: FakeSocket, state: Parameters<typeof devicesSnapshot>[2] = {}): void {
  socket.say(devicesSnapshot("e1", 7, state));
  socket.say(eventsSnapshot("v1", 3));
}

describe("connection", () => {
  it("[HS-1] sends hello first, and subscribes to both streams after the welcome", async () => {
    const { socket } = await connected();
    expect(socket.received).toEqual([
      { t: "hello", protocol: 1, token: "token-1" },
      { t: "subscribe", stream: "devices" },
      { t: "subscribe", stream: "events" },
    ]);
  });

  it("[LINK-2] takes from each beat when the farm API answered last", async () => {
    const { bench, socket } = await connected();
    const at = (seconds: number) => new Date(bench.clock.now() + seconds * 1_000).toISOString();
    const heardAt = () => bench.client.link.getState().relay?.heardAt;
    // Before the relay's own description of the link a beat describes none.
    socket.say({ t: "beat", serverTime: at(0), heardAt: at(-1) });
    expect(heardAt()).toBeUndefined();
    const link = {
      upstream: "up",
      mqtt: "up",
      store: "embedded",
      since: at(-900),
      heardAt: at(-600),
    } as const;
    socket.say({ t: "link", ...link });
    socket.say({ t: "beat", serverTime: at(0) });
    expect(heardAt()).toBe(at(-600));
    socket.say({ t: "beat", serverTime: at(0), heardAt: at(-2) });
    expect(heardAt()).toBe(at(-2));
  });

  it("[HS-2] views another account by naming it in every subscription", async () => {
    const { bench, socket } = await connected({ as: "farmer" });
    expect(socket.received.slice(1)).toEqual([
      { t: "subscribe", stream: "devices", as: "farmer" },
      { t: "subscribe", stream: "events", as: "farmer" },
    ]);
    sync(socket);
    socket.cut();
    await bench.timers.pass(1_000);
    const second = await bench.welcome();
    expect(second.received.slice(1)).toMatchObject([{ as: "farmer" }, { as: "farmer" }]);
  });

  it("[HS-2] reports an unavailable account and subscribes again", async () => {
    const { bench, socket } = await connected({ as: "farmer" });
    const no = {
      t: "error",
      code: "forbidden",
      message: "no session",
      temporary: true,
      ref: "subscribe",
    } as const;
    socket.say(no);
    socket.say(no);
    expect(bench.client.link.getState().refused).toBe("forbidden");
    await bench.timers.pass(ASK_AGAIN_MS);
    expect(socket.received.slice(3)).toMatchObject([
      { t: "subscribe", stream: "devices", as: "farmer" },
      { t: "subscribe", stream: "events", as: "farmer" },
    ]);
    sync(socket);
    expect(bench.client.link.getState().refused).toBeNull();
  });

  it("[LIVE-1] is live again only once the store holds what it missed", async () => {
    const { bench, socket: first } = await connected();
    sync(first, { "sensor:s1": sensorValue() });
    bench.paint();
    await bench.timers.pass(0);
    first.cut();
    await bench.timers.pass(1_000);
    const second = await bench.welcome();
    second.say(devicesSnapshot("e2", 1, { "sensor:s1": sensorValue({ reading: { moisture: 20 } }) }));
    second.say(eventsSnapshot("v2", 1));
    expect(bench.client.store.get("sensor", "s1")?.reading).not.toEqual({ moisture: 20 });
    expect(bench.client.link.getState().screen.state).toBe("reconnecting");
    bench.paint();
    expect(bench.client.link.getState().screen.state).toBe("live");
  });

  it("[SUB-3] resumes both streams from its positions on a new connection", async () => {
    const { bench, socket: first } = await connected();
    sync(first, { "sensor:s1": sensorValue() });
    first.cut();
    await bench.timers.pass(1_000);
    const second = await bench.welcome();
    expect(second.received.slice(1)).toEqual([
      { t: "subscribe", stream: "devices", position: { epoch: "e1", offset: 7 } },
      { t: "subscribe", stream: "events", position: { epoch: "v1", offset: 3 } },
    ]);
    second.say({
      t: "change",
      stream: "devices",
      from: 7,
      offset: 12,
      set: { "sensor:s1": sensorValue({ reading: { moisture: 20 } }) },
    });
    second.say({ t: "resumed", stream: "devices", epoch: "e1", offset: 12, changed: 1 });
    second.say({ t: "resumed", stream: "events", epoch: "v1", offset: 3, changed: 0 });
    bench.paint();
    expect(bench.client.store.get("sensor", "s1")?.reading).toEqual({ moisture: 20 });
    await bench.timers.pass(0);
    expect(bench.client.link.getState().screen).toEqual({ state: "live" });
  });

  it("[SUB-1] subscribes again from its own offset, once, after a frame with another base", async () => {
    const { bench, socket } = await connected();
    sync(socket);
    const lost = (from: number) =>
      socket.say({
        t: "change",
        stream: "devices",
        from,
        offset: from + 1,
        set: { "sensor:s1": sensorValue() },
      });
    lost(8);
    lost(9);
    lost(10);
    expect(socket.received.slice(3)).toEqual([
      { t: "subscribe", stream: "devices", position: { epoch: "e1", offset: 7 } },
    ]);
    bench.paint();
    expect(bench.client.store.ids("sensor")).toEqual([]);
  });

  it("[SUB-3] replaces everything by the snapshot of a relay with another epoch", async () => {
    const { bench, socket: first } = await connected();
    first.say(devicesSnapshot("e1", 7, { "sensor:s1": sensorValue(), "sensor:old": sensorValue() }));
    first.cut();
    await bench.timers.pass(1_000);
    const second = await bench.welcome();
    second.say(devicesSnapshot("e2", 1, { "sensor:s1": sensorValue() }));
    bench.paint();
    expect(bench.client.store.ids("sensor")).toEqual(["s1"]);
    second.say({
      t: "change",
      stream: "devices",
      from: 1,
      offset: 2,
      patch: { "sensor:s1": { quality: "late" } },
    });
    bench.paint();
    expect(bench.client.store.get("sensor", "s1")?.quality).toBe("late");
  });

  it("[SUB-4] requests missing events after a skipped one", async () => {
    const { bench, socket } = await connected();
    sync(socket);
    const event = {
      kind: "flip",
      at: "2026-11-21T03:00:00Z",
      key: "sensor:s1",
      online: false,
      last: null,
    } as const;
    socket.say({ t: "event", stream: "events", offset: 5, event });
    expect(socket.received.at(-1)).toEqual({
      t: "subscribe",
      stream: "events",
      position: { epoch: "v1", offset: 3 },
    });
    socket.say({ t: "event", stream: "events", offset: 4, event });
    socket.say({ t: "event", stream: "events", offset: 5, event });
    socket.say({ t: "event", stream: "events", offset: 5, event });
    socket.say({ t: "resumed", stream: "events", epoch: "v1", offset: 5, changed: 2 });
    expect(bench.client.events.getState().newestFirst.map(({ offset }) => offset)).toEqual([5, 4]);
  });

  it("[POLL-1] reports a visible page once a minute, and nothing while it is hidden", async () => {
    const { bench, socket } = await connected({ welcome: { activeEveryMs: 60_000 } });
    const said = () => socket.received.filter(({ t }) => t === "active").length;
    const pass = async (minutes: number) => {
      for (let second = 0; second < minutes * 60; second += 1) {
        await bench.timers.pass(1_000);
        socket.say({ t: "beat", serverTime: new Date(bench.clock.now()).toISOString() });
        bench.client.connection.update();
      }
    };
    await pass(3);
    expect(said()).toBe(3);
    bench.visible = false;
    await pass(10);
    expect(said()).toBe(3);
    bench.visible = true;
    bench.client.connection.update();
    expect(said()).toBe(4);
  });

  it("[POLL-1] reports nothing to a relay that does not ask", async () => {
    const { bench, socket } = await connected();
    await bench.timers.pass(70_000);
    bench.client.connection.update();
    expect(socket.received.map(({ t }) => t)).not.toContain("active");
  });

  /** Create a live page on a connection that the test cuts off silently. */
  const liveBench = async () => {
    const { bench, socket } = await connected();
    sync(socket);
    bench.paint();
    await bench.timers.pass(0);
    const passSeconds = async (seconds: number) => {
      for (let second = 0; second < seconds; second += 1) {
        await bench.timers.pass(1_000);
        bench.client.connection.update();
      }
    };
    const screen = () => bench.client.link.getState().screen.state;
    const asked = () => socket.received.length - 3;
    return { bench, socket, passSeconds, screen, asked, connection: bench.client.connection };
  };
  const question = { t: "subscribe", stream: "events", position: { epoch: "v1", offset: 3 } };
  const answer = { t: "resumed", stream: "events", epoch: "v1", offset: 3, changed: 0 } as const;

  it("[LIVE-1] treats a missed heartbeat as a doubt: asks, is not live 5 s later, and reconnects", async () => {
    const { bench, socket, passSeconds, screen } = await liveBench();
    await passSeconds(19);
    expect(screen()).toBe("live");
    await passSeconds(1);
    expect(screen()).toBe("reconnecting");
    expect(socket.received.at(-1)).toEqual(question);
    await passSeconds(4);
    expect(socket.closedByClient).toBe(false);
    await passSeconds(1);
    expect(screen()).toBe("notLive");
    expect(socket.closedByClient).toBe(true);
    await bench.timers.pass(0);
    expect(bench.relay.sockets).toHaveLength(2);
  });

  it("[LIVE-1] is in doubt at once after a sign of loss, and live again after an answer of the same connection", async () => {
    const { bench, socket, screen, connection } = await liveBench();
    connection.doubt();
    expect(screen()).toBe("reconnecting");
    expect(socket.received.at(-1)).toEqual(question);
    socket.say(answer);
    expect(screen()).toBe("live");
    expect(bench.relay.sockets).toHaveLength(1);
  });

  it("[LIVE-1] is not live 5 s after an unanswered question, also while a blocked uplink lets values through", async () => {
    const { bench, socket, passSeconds, screen, connection } = await liveBench();
    connection.doubt();
    for (let second = 0; second < 8; second += 1) {
      socket.say({ t: "beat", serverTime: new Date(bench.clock.now()).toISOString() });
      await passSeconds(1);
    }
    expect(screen()).toBe("notLive");
    expect(socket.closedByClient).toBe(false);
    socket.say(answer);
    expect(screen()).toBe("live");
  });

  it("[LIVE-1] is not live 5 s after a doubt before the first farm data, and starts with the data", async () => {
    const bench = createBench();
    bench.start();
    await settle();
    const screen = () => bench.client.link.getState().screen.state;
    bench.client.connection.doubt();
    expect(screen()).toBe("starting");
    await bench.timers.pass(5_000);
    bench.client.connection.update();
    await bench.timers.pass(0);
    expect(screen()).toBe("notLive");
    expect(bench.relay.sockets).toHaveLength(2);
    const socket = await bench.welcome();
    bench.client.connection.doubt();
    for (let part = 1; part < 9; part += 1) {
      socket.say({ t: "snapshot", stream: "devices", epoch: "e1", offset: 1, part, of: 9, state: {} });
      await bench.timers.pass(1_000);
      bench.client.connection.update();
      expect(screen()).toBe("starting");
    }
    expect(bench.relay.sockets).toHaveLength(2);
  });

  it("[LIVE-1] treats a missed heartbeat as a doubt also before it is live", async () => {
    const { bench, socket, passSeconds, screen } = await liveBench();
    socket.cut();
    await bench.timers.pass(1_000);
    await bench.welcome();
    await passSeconds(3);
    expect(screen()).toBe("reconnecting");
    // The welcome brings none of the values.
    await passSeconds(2);
    expect(screen()).toBe("notLive");
    await passSeconds(14);
    expect(bench.relay.sockets).toHaveLength(2);
    await passSeconds(6);
    await bench.timers.pass(0);
    expect(bench.relay.sockets).toHaveLength(3);
  });

  it("[LIVE-1] a page that was not live is live again by what it missed, not by a welcome", async () => {
    const { bench, socket, passSeconds, screen } = await liveBench();
    socket.cut();
    await passSeconds(10);
    expect(screen()).toBe("notLive");
    const second = await bench.welcome();
    bench.client.connection.update();
    await passSeconds(3);
    expect(screen()).toBe("notLive");
    second.say(devicesSnapshot("e2", 1, {}));
    second.say(eventsSnapshot("v2", 1));
    bench.paint();
    expect(screen()).toBe("live");
  });

  it("[HS-5] asks once for many signs of loss, and at most once a second", async () => {
    const { socket, passSeconds, screen, asked, connection } = await liveBench();
    for (let sign = 0; sign < 50; sign += 1) connection.doubt();
    expect(asked()).toBe(1);
    socket.say(answer);
    for (let sign = 0; sign < 50; sign += 1) connection.doubt();
    expect(asked()).toBe(1);
    await passSeconds(1);
    expect(asked()).toBe(2);
    socket.say(answer);
    await passSeconds(10);
    expect(asked()).toBe(2);
    expect(screen()).toBe("live");
  });

  it("[LIVE-2] connects at once when the network returns, after minutes and during a hanging attempt", async () => {
    const { bench, passSeconds, screen, connection } = await liveBench();
    connection.doubt();
    await passSeconds(240);
    expect(screen()).toBe("notLive");
    const before = bench.relay.sockets.length;
    expect(before).toBeGreaterThan(2);
    connection.online();
    await bench.timers.pass(0);
    expect(bench.relay.sockets).toHaveLength(before + 1);
    const socket = await bench.welcome();
    socket.say({ t: "resumed", stream: "devices", epoch: "e1", offset: 7, changed: 0 });
    socket.say(answer);
    expect(screen()).toBe("live");
  });

  it("[LIVE-2] asks the existing connection after a change of network", async () => {
    const { bench, socket, passSeconds, screen, connection } = await liveBench();
    connection.online();
    expect(screen()).toBe("reconnecting");
    expect(socket.received.at(-1)).toEqual(question);
    await passSeconds(5);
    await bench.timers.pass(0);
    expect(bench.relay.sockets).toHaveLength(2);
  });

  it("[LIVE-1] makes nothing old when the clock is set", async () => {
    const { bench, socket } = await connected();
    sync(socket);
    bench.clock.jump(3_600_000);
    bench.client.connection.update();
    expect(bench.client.link.getState().screen).toEqual({ state: "live" });
    expect(bench.client.link.getState().clockOff).toBe(3_600_000);
  });

  it("[LIVE-2] reconnects forever with growing delays of at most 30 s", async () => {
    const bench = createBench(() => 0.999_999);
    bench.start();
    await settle();
    const waits: number[] = [];
    for (let round = 0; round < 9; round += 1) {
      const count = bench.relay.sockets.length;
      bench.relay.latest().cut();
      let waited = 0;
      while (bench.relay.sockets.length === count) {
        await bench.timers.pass(500);
        waited += 500;
      }
      waits.push(waited);
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000, 30_000]);
  });

  it("[LIVE-2] tries at once when the tab wakes up", async () => {
    const bench = createBench(() => 0.999_999);
    bench.start();
    await settle();
    for (let round = 0; round < 6; round += 1) {
      bench.relay.latest().cut();
      if (round < 5) await bench.timers.pass(30_000);
    }
    const before = bench.relay.sockets.length;
    bench.client.connection.wake();
    await settle();
    expect(bench.relay.sockets).toHaveLength(before + 1);
  });

  it("[LIVE-2] distrusts its connection after the machine slept", async () => {
    const { bench, socket } = await connected();
    bench.clock.jump(600_000);
    bench.client.connection.wake();
    await bench.timers.pass(0);
    expect(socket.closedByClient).toBe(true);
    expect(bench.relay.sockets).toHaveLength(2);
  });

  it("[LIVE-3] reconnects at the time given by a draining relay", async () => {
    const { bench, socket } = await connected();
    socket.say(byeOf(CLOSE.draining, 7_000));
    await bench.timers.pass(6_999);
    expect(bench.relay.sockets).toHaveLength(1);
    await bench.timers.pass(1);
    expect(bench.relay.sockets).toHaveLength(2);
  });

  it("[AUTH-1] sends a fresh token on the same connection before the old one ends", async () => {
    const { bench, socket } = await connected({ welcome: { ttl: 1_800 } });
    const beat = async (seconds: number) => {
      for (let passed = 0; passed < seconds; passed += 15) {
        await bench.timers.pass(15_000);
        socket.say({ t: "beat", serverTime: new Date(bench.clock.now()).toISOString() });
      }
    };
    await beat(1_725);
    expect(bench.tokens.renewed).toEqual([]);
    await beat(15);
    expect(bench.tokens.renewed).toEqual(["token-1"]);
    expect(socket.received.at(-1)).toEqual({ t: "auth", token: "token-2" });
    expect(bench.relay.sockets).toHaveLength(1);
  });

  it("[AUTH-1] sends a token renewed for another reason to the relay too", async () => {
    const { bench, socket } = await connected();
    bench.tokens.give("token-9");
    expect(socket.received.at(-1)).toEqual({ t: "auth", token: "token-9" });
  });

  it("[AUTH-4] renews a refused token and reconnects with it", async () => {
    const { bench, socket } = await connected();
    socket.say(byeOf(CLOSE.token));
    await bench.timers.pass(0);
    bench.relay.latest().open();
    expect(bench.relay.latest().received).toEqual([{ t: "hello", protocol: 1, token: "token-2" }]);
  });

  it("[displays] asks for the settings of a changed display, and reconnects at once", async () => {
    const { bench, socket } = await connected();
    bench.tokens.next = "token-1";
    socket.say(byeOf(CLOSE.displayChanged));
    await bench.timers.pass(0);
    bench.relay.latest().open();
    expect(bench.relay.sockets).toHaveLength(2);
    expect(bench.relay.latest().received).toMatchObject([{ t: "hello" }]);
    expect(bench.tokens.renewed).toHaveLength(1);
  });

  it("[AUTH-4] ends the connection when the session is over", async () => {
    const { bench, socket } = await connected();
    bench.tokens.next = null;
    socket.say(byeOf(CLOSE.token));
    await bench.timers.pass(60_000);
    expect(bench.relay.sockets).toHaveLength(1);
    expect(bench.client.link.getState().screen).toEqual({ state: "ended", code: CLOSE.token });
  });

  it("[AUTH-4] asks once for another token after the session ended elsewhere, and ends without one", async () => {
    for (const code of [CLOSE.revoked, CLOSE.accountDisabled]) {
      const { bench, socket } = await connected();
      bench.tokens.next = null;
      socket.say(byeOf(code));
      await bench.timers.pass(60_000);
      expect(bench.tokens.renewed).toEqual(["token-1"]);
      expect(bench.relay.sockets).toHaveLength(1);
      expect(bench.client.link.getState().screen).toEqual({ state: "ended", code });
    }
  });

  it("[DOOR-1] does not reconnect after a code from 4500 on", async () => {
    const { bench, socket } = await connected();
    socket.say(byeOf(CLOSE.unknownProtocol));
    socket.cut();
    await bench.timers.pass(120_000);
    expect(bench.relay.sockets).toHaveLength(1);
    expect(bench.client.link.getState().screen).toEqual({ state: "ended", code: CLOSE.unknownProtocol });
  });

  it("[HS-4] stores the build that the relay serves", async () => {
    const { bench } = await connected({ welcome: { build: "build-2" } });
    expect(bench.client.link.getState().servedBuild).toBe("build-2");
  });

  it("[connection] survives any message of the relay", async () => {
    const { bench, socket } = await connected();
    for (const raw of [
      null,
      undefined,
      7,
      "x",
      [],
      {},
      { t: "change" },
      { t: "snapshot", state: 3 },
      { t: 1 },
    ]) {
      socket.sayRaw(raw);
    }
    socket.say(devicesSnapshot("e1", 1, { "sensor:s1": sensorValue() }));
    bench.paint();
    expect(bench.client.store.ids("sensor")).toEqual(["s1"]);
  });

  it("[connection] ignores an abandoned socket", async () => {
    const { bench, socket: first } = await connected();
    first.say(devicesSnapshot("e1", 1, {}));
    first.cut();
    await bench.timers.pass(1_000);
    first.say(devicesSnapshot("e9", 9, { "sensor:ghost": sensorValue() }));
    bench.paint();
    expect(bench.client.store.ids("sensor")).toEqual([]);
  });

  it("[connection] abandons a hanging attempt after 20 s", async () => {
    const bench = createBench(() => 0);
    bench.start();
    await bench.timers.pass(20_000);
    expect(bench.relay.sockets[0]?.closedByClient).toBe(true);
    await settle();
    expect(bench.relay.sockets.length).toBeGreaterThan(1);
  });

  it("[LIVE-1] is live after the first frame of the farm, not before", async () => {
    const { bench, socket } = await connected();
    sync(socket, { "sensor:s1": sensorValue() });
    const { link, store } = bench.client;
    expect(link.getState()).toMatchObject({ everSynced: false, screen: { state: "starting" } });
    const heldWhenLive: number[] = [];
    link.subscribe(({ screen }) => {
      if (screen.state === "live") heldWhenLive.push(store.ids("sensor").length);
    });
    bench.paint();
    await bench.timers.pass(0);
    expect(link.getState()).toMatchObject({ everSynced: true, screen: { state: "live" } });
    expect(heldWhenLive).toEqual([1]);
  });

  it("[LIVE-1] is live if the farm was rendered while its connection was down", async () => {
    const { bench, socket: first } = await connected();
    sync(first, { "sensor:s1": sensorValue() });
    first.cut();
    bench.paint();
    await bench.timers.pass(1_000);
    const second = await bench.welcome();
    second.say({ t: "resumed", stream: "devices", epoch: "e1", offset: 7, changed: 0 });
    second.say({ t: "resumed", stream: "events", epoch: "v1", offset: 3, changed: 0 });
    expect(bench.client.link.getState().screen).toEqual({ state: "live" });
  });

  it("[LIVE-1] distinguishes a relay without its farm API from an unreachable one, until values arrive", async () => {
    const bench = createBench();
    bench.start();
    const link = () => bench.client.link.getState();
    const first = await bench.welcome();
    expect(link().everSynced).toBe(false);
    sync(first);
    expect(link()).toMatchObject({ everSynced: true, withheld: null, screen: { state: "live" } });
    first.cut();
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await bench.timers.pass(5_000);
      const next = await bench.welcome();
      next.say({ t: "error", code: "upstream-down", message: "farm API not reachable", temporary: true });
      next.say(byeOf(CLOSE.upstreamDown, 5_000));
      expect(link()).toMatchObject({ withheld: "upstream-down", screen: { state: "notLive" } });
    }
    await bench.timers.pass(5_000);
    const last = await bench.welcome();
    expect(link()).toMatchObject({ withheld: "upstream-down", screen: { state: "notLive" } });
    last.say(devicesSnapshot("e2", 1, {}));
    last.say(eventsSnapshot("v2", 1));
    expect(link()).toMatchObject({ withheld: null, screen: { state: "live" } });
    last.say({ t: "error", code: "store-down", message: "the store is away", temporary: true });
    last.say(byeOf(CLOSE.upstreamDown, 5_000));
    expect(link().withheld).toBe("store-down");
    await bench.timers.pass(40_000);
    bench.client.connection.update();
    expect(link()).toMatchObject({ withheld: null, screen: { state: "notLive" } });
  });
});
