import type { Machine } from "../../network/machine.ts";
import { isWriting, RedisData, type Reply } from "./redis-data.ts";
import { RedisScripts } from "./redis-scripts.ts";

/** Receives the publications of a channel. */
export type Receiver = (channel: string, message: string) => void;

/** How far the replica is behind, ms: what Redis has acknowledged since then is lost with a failover. */
const REPLICA_LAG_MS = 700;

interface Written {
  readonly at: number;
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * A Redis on a machine, with a replica that follows it, and an append-only file.
 *
 * ```
 *   off ──start──▶ running ──kill──▶ off            (everything is kept)
 *                  running ──failOver──▶ running    (the replica goes on; the newest writes are lost)
 * ```
 *
 * Each start, and each failover, begins another history, as Redis names it by its replication id.
 */
export class RedisServer {
  readonly machine: Machine;
  #data = new RedisData();
  #replica = new RedisData();
  /** Writes that have not reached the replica. */
  #behind: Written[] = [];
  #scripts = new RedisScripts();
  #history = 0;
  readonly #channels = new Map<string, Set<Receiver>>();

  constructor(machine: Machine) {
    this.machine = machine;
  }

  start(): void {
    this.machine.boot();
    this.#begin();
  }

  kill(): void {
    this.#channels.clear();
    this.machine.kill();
  }

  /** The replica goes on at the same address: all connections end. */
  failOver(): void {
    this.kill();
    this.#follow(REPLICA_LAG_MS);
    this.#behind = [];
    this.#data = this.#replica;
    this.#replica = this.#data.copy();
    this.start();
  }

  #begin(): void {
    this.#history += 1;
    this.#scripts = new RedisScripts();
  }

  /** Let the replica apply the writes that are older than its lag. */
  #follow(lagMs: number): void {
    const until = this.machine.clock.now() - lagMs;
    let count = 0;
    for (const { at, command, args } of this.#behind) {
      if (at > until) break;
      this.#replica.run(command, args, at);
      count += 1;
    }
    if (count > 0) this.#behind.splice(0, count);
  }

  /** Subscribe a connection to a channel. */
  subscribe(channel: string, receiver: Receiver): void {
    const receivers = this.#channels.get(channel) ?? new Set();
    receivers.add(receiver);
    this.#channels.set(channel, receivers);
  }

  unsubscribe(channel: string, receiver: Receiver): void {
    this.#channels.get(channel)?.delete(receiver);
  }

  /** End what a connection has subscribed to. */
  left(receiver: Receiver): void {
    for (const receivers of this.#channels.values()) receivers.delete(receiver);
  }

  /** Run a command. @throws RedisError */
  run(command: string, args: readonly string[]): Reply {
    const [first = "", count = "0", ...rest] = args;
    const keys = rest.slice(0, Number(count));
    const own = rest.slice(Number(count));
    const call = (name: string, given: readonly string[]): Reply => this.run(name, given);
    switch (command) {
      case "EVALSHA":
        return this.#scripts.runKnown(first, keys, own, call);
      case "EVAL":
        return this.#scripts.run(first, keys, own, call);
      case "PING":
        return "PONG";
      case "INFO":
        return `# Replication\r\nrole:master\r\nmaster_replid:${`${this.#history}`.padStart(40, "0")}\r\n`;
      case "CONFIG":
        return [count, count === "appendonly" ? "yes" : "noeviction"];
      case "PUBLISH":
        return this.#publish(first, args[1] ?? "");
      default:
        return this.#store(command, args);
    }
  }

  #publish(channel: string, message: string): number {
    const receivers = [...(this.#channels.get(channel) ?? [])];
    for (const receive of receivers) receive(channel, message);
    return receivers.length;
  }

  #store(command: string, args: readonly string[]): Reply {
    const at = this.machine.clock.now();
    const reply = this.#data.run(command, args, at);
    if (!isWriting(command)) return reply;
    this.#behind.push({ at, command, args });
    this.#follow(REPLICA_LAG_MS);
    return reply;
  }
}
