import type { Timer } from "@mulkko/shared/rules/clock";
import type { Argument, CreateClient, RedisClient } from "../../../../relay/src/store/redis/connection.ts";
import { REDIS_LIMITS } from "../../../../relay/src/store/redis/limits.ts";
import { type Line, Wire, type WireEnd } from "../../network/line.ts";
import type { Process } from "../../network/machine.ts";
import type { WorldTime } from "../../network/world-time.ts";
import type { Reply } from "./redis-data.ts";
import type { Receiver, RedisServer } from "./redis-server.ts";

type Status = "wait" | "connecting" | "ready" | "reconnecting" | "end";

/** A command on its way. */
interface Sent {
  readonly run: () => Reply;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: unknown) => void;
}

interface Connected {
  readonly wire: { readonly near: WireEnd; readonly far: WireEnd };
  readonly receive: Receiver;
  /** Commands of this instant: they are sent together, as ioredis does. */
  outgoing: Sent[];
  /** Commands that wait for an answer. */
  readonly waiting: Set<Sent>;
  /** Monotonic ms of the last answer, or of the first command after one. */
  heardAt: number;
}

/** Time after which a lost connection is made again, ms, by the attempt, as the store asks of its client. */
const againMs = (attempt: number): number => Math.min(attempt * 100, REDIS_LIMITS.reconnectMs);

const text = (arg: Argument): string => (Buffer.isBuffer(arg) ? arg.toString() : `${arg}`);

/**
 * A client of Redis over a line of the world, with the behaviour of ioredis that the store asks for: nothing is queued
 * without a connection, nothing is sent twice, and a silent connection is closed.
 *
 * ```
 *   wait ──connect──▶ connecting ──▶ ready ──lost──▶ reconnecting ──▶ connecting
 *   any ──disconnect──▶ end
 * ```
 */
class Client implements RedisClient {
  readonly #line: Line;
  readonly #time: WorldTime;
  readonly #process: Process;
  readonly #server: RedisServer;
  readonly #onReady: (() => void)[] = [];
  readonly #onClose: (() => void)[] = [];
  readonly #onError: ((error: Error) => void)[] = [];
  readonly #onMessage: ((channel: Buffer, message: Buffer) => void)[] = [];
  #status: Status = "wait";
  #attempts = 0;
  #connected: Connected | null = null;
  #again: Timer | null = null;

  constructor(line: Line, time: WorldTime, process: Process, server: RedisServer) {
    this.#line = line;
    this.#time = time;
    this.#process = process;
    this.#server = server;
  }

  get status(): string {
    return this.#status;
  }

  on(event: "ready" | "close", listener: () => void): void;
  on(event: "error", listener: (error: Error) => void): void;
  on(event: "messageBuffer", listener: (channel: Buffer, message: Buffer) => void): void;
  on(
    ...[event, listener]:
      | ["ready" | "close", () => void]
      | ["error", (error: Error) => void]
      | ["messageBuffer", (channel: Buffer, message: Buffer) => void]
  ): void {
    if (event === "ready") this.#onReady.push(listener);
    else if (event === "close") this.#onClose.push(listener);
    else if (event === "error") this.#onError.push(listener);
    else this.#onMessage.push(listener);
  }

  connect(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let isOver = false;
    this.#onReady.push(() => {
      if (!isOver) resolve();
      isOver = true;
    });
    this.#onClose.push(() => {
      if (!isOver) reject(new Error("Connection is closed."));
      isOver = true;
    });
    this.#open();
    return promise;
  }

  #open(): void {
    this.#status = "connecting";
    const receive: Receiver = (channel, message) =>
      wire.far.send(() => {
        for (const listener of this.#onMessage) listener(Buffer.from(channel), Buffer.from(message));
      });
    const wire = new Wire(
      this.#line,
      this.#time,
      {
        near: () => this.#lost(connected, new Error("read ECONNRESET")),
        far: () => this.#server.left(receive),
      },
      { isNew: true },
    );
    const connected: Connected = { wire, receive, outgoing: [], waiting: new Set(), heardAt: 0 };
    this.#connected = connected;
    if (this.#line.isCut || !this.#line.far.isOn) {
      this.#line.refuse(() => this.#lost(connected, new Error("connect ECONNREFUSED")));
      return;
    }
    this.#process.timers.after(REDIS_LIMITS.connectMs, () => {
      if (this.#connected === connected && this.#status === "connecting")
        this.#lost(connected, new Error("connect ETIMEDOUT"));
    });
    wire.near.send(() => {
      wire.far.send(() => {
        if (this.#connected !== connected) return;
        this.#status = "ready";
        this.#attempts = 0;
        for (const listener of [...this.#onReady]) listener();
      });
    });
  }

  /** A connection is over, unless it was replaced already. */
  #lost(connected: Connected, error: Error | null, reconnect = true): void {
    if (this.#connected !== connected) return;
    this.#connected = null;
    connected.wire.near.close();
    this.#status = reconnect ? "reconnecting" : "end";
    if (error) for (const listener of this.#onError) listener(error);
    for (const { reject } of connected.waiting) reject(new Error("Connection is closed."));
    for (const listener of [...this.#onClose]) listener();
    if (!reconnect) return;
    this.#attempts += 1;
    this.#again = this.#process.timers.after(againMs(this.#attempts), () => this.#open());
  }

  disconnect(reconnect = false): void {
    this.#again?.cancel();
    const connected = this.#connected;
    if (connected) this.#lost(connected, null, reconnect);
    else if (!reconnect) this.#status = "end";
  }

  call(command: string, ...args: Argument[]): Promise<unknown> {
    const texts = args.map(text);
    return this.#send(() => this.#server.run(command, texts));
  }

  ping(): Promise<unknown> {
    return this.call("PING");
  }

  subscribe(...channels: string[]): Promise<unknown> {
    const receive = this.#connected?.receive;
    return this.#send(() => {
      for (const channel of channels) if (receive) this.#server.subscribe(channel, receive);
      return channels.length;
    });
  }

  unsubscribe(...channels: string[]): Promise<unknown> {
    const receive = this.#connected?.receive;
    return this.#send(() => {
      for (const channel of channels) if (receive) this.#server.unsubscribe(channel, receive);
      return channels.length;
    });
  }

  #send(run: () => Reply): Promise<unknown> {
    const connected = this.#connected;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    if (this.#status !== "ready" || !connected) {
      reject(new Error("Stream isn't writeable and enableOfflineQueue options is false"));
      return promise;
    }
    if (connected.waiting.size === 0) connected.heardAt = this.#process.clock.monotonic();
    if (connected.outgoing.length === 0) queueMicrotask(() => this.#flush(connected));
    const sent: Sent = { run, resolve, reject };
    connected.outgoing.push(sent);
    connected.waiting.add(sent);
    return promise;
  }

  #flush(connected: Connected): void {
    const { clock, timers } = this.#process;
    const { wire, waiting, outgoing } = connected;
    connected.outgoing = [];
    // A command without an answer is over for its caller, while its connection still waits.
    const limit = timers.after(REDIS_LIMITS.commandMs, () => {
      for (const { reject } of outgoing) reject(new Error("Command timed out"));
      const silentMs = clock.monotonic() - connected.heardAt;
      timers.after(Math.max(0, REDIS_LIMITS.silentSocketMs - silentMs), () => this.#closeSilent(connected));
    });
    wire.near.send(() => {
      const settled = outgoing.map((sent) => {
        try {
          const reply = sent.run();
          return () => sent.resolve(reply);
        } catch (error) {
          return () => sent.reject(error);
        }
      });
      wire.far.send(() => {
        limit.cancel();
        connected.heardAt = clock.monotonic();
        for (const sent of outgoing) waiting.delete(sent);
        for (const settle of settled) settle();
      });
    });
  }

  #closeSilent(connected: Connected): void {
    const { heardAt, waiting } = connected;
    const silentMs = this.#process.clock.monotonic() - heardAt;
    if (waiting.size === 0 || silentMs < REDIS_LIMITS.silentSocketMs) return;
    this.#lost(connected, new Error("Socket timeout"));
  }
}

/** Return what creates the clients of a process, over a line to the server. */
export const clientsOver =
  (line: Line, time: WorldTime, process: Process, server: RedisServer): CreateClient =>
  () =>
    new Client(line, time, process, server);
