import type { Line } from "../network/line.ts";
import type { WorldTime } from "../network/world-time.ts";
import type { RedisServer } from "./redis/redis-server.ts";
import type { Relay } from "./relay.ts";

/** Time after which the other relays have taken over what one did that is away: a lease (6 s) and what follows it. */
const TAKEN_OVER_MS = 20_000;
/** Interval at which the balancer asks each relay, and answers in a row that change its mind, as in `ops/haproxy.cfg`. */
const CHECK_MS = 2_000;
const CHECKS = 2;

/** A relay, with its lines to what it needs. */
export interface Node {
  readonly relay: Relay;
  readonly upstream: readonly Line[];
  /** Null where it keeps its data itself. */
  readonly toRedis: Line | null;
}

/** A relay, as the balancer and the rules see it. */
class Seen {
  readonly node: Node;
  /** Since when it can hold nothing: it is off, frozen, or without Redis, ms; null while it can. */
  goneSince: number | null = null;
  isReady = true;
  /** Answers in a row that say otherwise. */
  otherwise = 0;

  constructor(node: Node) {
    this.node = node;
  }

  get isWhole(): boolean {
    const { relay, upstream, toRedis } = this.node;
    return (
      this.isThere &&
      relay.app !== null &&
      !relay.isStopping &&
      upstream.every(({ isWell }) => isWell) &&
      (toRedis?.isWell ?? true)
    );
  }

  get isThere(): boolean {
    return this.node.relay.machine.isWorking;
  }

  /** True while it answers `/ready` with 200. */
  get answersReady(): boolean {
    const state = this.node.relay.app?.services.link.state;
    const { isStopping } = this.node.relay;
    return (
      this.isThere &&
      !isStopping &&
      state !== undefined &&
      state.upstream !== "down" &&
      state.store !== "down"
    );
  }
}

/** The relays of a world, and the balancer in front of them, which never fails. */
export class Relays {
  readonly #time: WorldTime;
  readonly #seen: readonly Seen[];
  /** Null where one relay keeps its data itself. */
  readonly #redis: RedisServer | null;
  #turn = 0;

  constructor(time: WorldTime, nodes: readonly Node[], redis: RedisServer | null) {
    this.#time = time;
    this.#redis = redis;
    this.#seen = nodes.map((node) => new Seen(node));
    if (nodes.length > 1) this.#check();
  }

  get all(): readonly Relay[] {
    return this.#seen.map(({ node }) => node.relay);
  }

  /** Return the relay of a new connection: each ready one in turn; all of them, if none is. */
  next(): Relay {
    const ready = this.#seen.filter(({ isReady }) => isReady);
    const from = ready.length > 0 ? ready : this.#seen;
    this.#turn += 1;
    const seen = from[this.#turn % from.length];
    if (!seen) throw new Error("a world without a relay");
    return seen.node.relay;
  }

  /**
   * True while the relays can serve as a whole: each of them works on whole lines, or has been away for so long that the
   * others have taken over.
   */
  get areWell(): boolean {
    if (this.#redis?.machine.isWorking === false) return false;
    const { now } = this.#time;
    const isTakenOver = ({ goneSince }: Seen): boolean =>
      goneSince !== null && now - goneSince > TAKEN_OVER_MS;
    return (
      this.#seen.some(({ isWhole }) => isWhole) && this.#seen.every((one) => one.isWhole || isTakenOver(one))
    );
  }

  /** Note which relays are away. */
  look(): void {
    for (const seen of this.#seen) {
      if (seen.isThere && (seen.node.toRedis?.isWell ?? true)) seen.goneSince = null;
      else seen.goneSince ??= this.#time.now;
    }
  }

  #check(): void {
    for (const seen of this.#seen) {
      if (seen.answersReady === seen.isReady) seen.otherwise = 0;
      else seen.otherwise += 1;
      if (seen.otherwise < CHECKS) continue;
      seen.isReady = !seen.isReady;
      seen.otherwise = 0;
    }
    this.#time.after(CHECK_MS, () => this.#check());
  }
}
