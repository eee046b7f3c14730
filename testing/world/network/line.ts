import type { Random } from "@mulkko/shared/rules/clock";
import type { Machine } from "./machine.ts";
import type { WorldTime } from "./world-time.ts";

/** Direction on a line: from its near end to its far end, or back. */
export type Direction = "there" | "back";

/** Faults of a line. */
interface LineState {
  /** Directions in which nothing arrives; what is under way arrives when they are released. */
  readonly held: ReadonlySet<Direction>;
  /** Every connection is reset, and no new one is possible. */
  readonly isCut: boolean;
  /** Added to the delays on average, ms; each packet has its own, so that connections overtake each other. */
  readonly slowMs: number;
}

const WELL: LineState = { held: new Set(), isCut: false, slowMs: 0 };

/** Delay of a packet on a healthy line, ms: at least, and the range above it. */
const DELAY_MS = { least: 2, range: 40 } as const;

/** Time within which what was held arrives once the line is well, ms. */
const AGAIN_MS = 1_500;

/**
 * The line between two machines: packets of it arrive late, are held, or meet a cut. It has no order; `Wire` has.
 */
export class Line {
  readonly near: Machine;
  readonly far: Machine;
  readonly #time: WorldTime;
  readonly #random: Random;
  /** Arrived, and held: by the connection and its direction, each in its order. */
  readonly #waiting = new Map<object, (() => void)[]>();
  readonly #cutListeners = new Set<() => void>();
  #state: LineState = WELL;
  /** Last instant at which something was wrong with the line; -∞: never. */
  #troubledAt = Number.NEGATIVE_INFINITY;
  #troubledSince: number | null = null;

  constructor(near: Machine, far: Machine, time: WorldTime, random: Random) {
    this.near = near;
    this.far = far;
    this.#time = time;
    this.#random = random;
  }

  get name(): string {
    return `${this.near.name}–${this.far.name}`;
  }

  get isCut(): boolean {
    return this.#state.isCut;
  }

  get isWell(): boolean {
    return this.#state === WELL;
  }

  isHeld(direction: Direction): boolean {
    return this.#state.held.has(direction);
  }

  /** Since when something is wrong; null while all is well. */
  get troubledSince(): number | null {
    return this.#troubledSince;
  }

  /** Last instant at which something was wrong; now, while it is. */
  get troubledAt(): number {
    return this.#troubledSince === null ? this.#troubledAt : this.#time.now;
  }

  /**
   * Carry a packet: run something at the other end after the line's delay, or when it is released.
   *
   * @param notBefore earliest arrival, ms
   * @param connection the connection and direction that it belongs to; packets of one stay in their order
   * @returns the planned arrival, ms
   */
  carry(direction: Direction, run: () => void, notBefore = 0, connection: object = {}): number {
    const arrive = (): void => {
      const before = this.#waiting.get(connection);
      if (before) before.push(run);
      else if (this.isHeld(direction)) this.#waiting.set(connection, [run]);
      else run();
    };
    const delay = DELAY_MS.least + this.#random() * (DELAY_MS.range + 2 * this.#state.slowMs);
    const at = Math.max(this.#time.now + delay, notBefore);
    this.#time.at(at, arrive);
    return at;
  }

  /**
   * Tell the near end that nothing at the other end takes its connection: by the answer of the other end; where the line
   * is cut, or will be before that, by the near machine itself.
   */
  refuse(run: () => void): void {
    let isOver = false;
    const once = (): void => {
      if (isOver) return;
      isOver = true;
      stop();
      this.near.perform(run);
    };
    const stop = this.onCut(() => this.#time.after(1, once));
    if (this.isCut) this.#time.after(1, once);
    else this.carry("back", once);
  }

  /** Call back at each cut. @returns a function that stops */
  onCut(listener: () => void): () => void {
    this.#cutListeners.add(listener);
    return () => this.#cutListeners.delete(listener);
  }

  hold(...directions: Direction[]): void {
    this.#change({ ...this.#state, held: new Set([...this.#state.held, ...directions]) });
  }

  cut(): void {
    this.#change({ ...this.#state, isCut: true });
    this.#waiting.clear();
    for (const listener of [...this.#cutListeners]) listener();
  }

  slow(ms: number): void {
    this.#change({ ...this.#state, slowMs: ms });
  }

  /**
   * Make the line well again. What was held arrives soon: each connection has its own time at which it tries again, so
   * that a later one may be earlier.
   */
  mend(): void {
    this.#change(WELL);
    for (const connection of this.#waiting.keys()) {
      this.#time.after(this.#random() * AGAIN_MS, () => this.#release(connection));
    }
  }

  #release(connection: object): void {
    const held = this.#waiting.get(connection);
    // Held once more, or cut meanwhile.
    if (!held || !this.isWell) return;
    this.#waiting.delete(connection);
    for (const run of held) run();
  }

  #change(state: LineState): void {
    const isWell = state === WELL;
    if (!isWell) this.#troubledSince ??= this.#time.now;
    else if (this.#troubledSince !== null) {
      this.#troubledAt = this.#time.now;
      this.#troubledSince = null;
    }
    this.#state = state;
  }
}

type End = "near" | "far";
const OTHER = { near: "far", far: "near" } as const;

/** One end of a connection. */
export interface WireEnd {
  /** Send to the other end; packets arrive in their order. Nothing happens on a broken wire. */
  send(run: () => void): void;
  /** End the connection: the other end learns it as it would the next packet. */
  close(): void;
}

/**
 * A connection over a line, as TCP gives it: in order, without loss, until an end closes it, dies, or the line is cut.
 * An end behind a held line learns nothing.
 */
export class Wire {
  readonly near: WireEnd;
  readonly far: WireEnd;
  readonly #line: Line;
  readonly #machines: Readonly<Record<End, Machine>>;
  readonly #time: WorldTime;
  readonly #closed: Record<End, () => void>;
  /** False until something of the near end has arrived: what an end sends that gives up before that, never arrives. */
  #isEstablished: boolean;
  /** Arrival of the last packet, by direction. */
  readonly #last: Record<Direction, number> = { there: 0, back: 0 };
  /** Keeps the packets of each direction in their order behind a held line. */
  readonly #order: Record<Direction, object> = { there: {}, back: {} };
  readonly #stops: (() => void)[];
  readonly #open: Record<"near" | "far", boolean> = { near: true, far: true };

  /**
   * @param closed called at an end when it learns that the connection is over, unless it ended it itself
   * @param how.isNew false for one of a pool of connections, which needs no handshake
   * @param how.far the machine that it leads to; absent: that of the line
   */
  constructor(
    line: Line,
    time: WorldTime,
    closed: { readonly near: () => void; readonly far: () => void },
    how: { readonly isNew: boolean; readonly far?: Machine },
  ) {
    this.#line = line;
    this.#machines = { near: line.near, far: how.far ?? line.far };
    this.#time = time;
    this.#closed = { near: closed.near, far: closed.far };
    this.#isEstablished = !how.isNew;
    this.near = { send: (run) => this.#send("near", run), close: () => this.#close("near") };
    this.far = { send: (run) => this.#send("far", run), close: () => this.#close("far") };
    this.#stops = [
      line.onCut(() => this.#reset()),
      this.#machines.near.onKilled(() => this.#close("near")),
      this.#machines.far.onKilled(() => this.#close("far")),
    ];
  }

  #send(from: End, run: () => void): void {
    if (!this.#open[from]) return;
    const to = OTHER[from];
    this.#carry(from, () => {
      if (from === "near") this.#isEstablished ||= this.#open.near;
      if (!this.#isEstablished) return;
      if (this.#open[to]) this.#machines[to].perform(run);
    });
  }

  #carry(from: End, run: () => void): void {
    const direction = from === "near" ? "there" : "back";
    this.#last[direction] = this.#line.carry(direction, run, this.#last[direction], this.#order[direction]);
  }

  #close(by: End): void {
    if (!this.#open[by]) return;
    this.#end(by);
    this.#carry(by, () => this.#learn(OTHER[by]));
  }

  /** Both ends learn of a cut, as of a reset. */
  #reset(): void {
    for (const end of ["near", "far"] as const) this.#time.after(1, () => this.#learn(end));
  }

  #learn(end: End): void {
    if (!this.#open[end]) return;
    this.#end(end);
    this.#machines[end].perform(this.#closed[end]);
  }

  #end(end: End): void {
    this.#open[end] = false;
    if (this.#open[OTHER[end]]) return;
    for (const stop of this.#stops) stop();
  }
}
