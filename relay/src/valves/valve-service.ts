import { randomUUID } from "node:crypto";
import type { ChannelReport } from "../account/channel-report.ts";
import type { DocumentChange } from "../store/collections.ts";
import { notPersisted } from "../store/errors.ts";
import { WriteBehind } from "../store/write-behind.ts";
import { Channel, type ChannelDeps, type Persist } from "./channel.ts";
import { closeAll } from "./close-all.ts";
import {
  COMMANDS,
  type CommandLogEntry,
  contentOf,
  REMEMBERED_MS,
  readCommands,
  recordOf,
} from "./command-log.ts";
import { REFUSED, refusedBefore } from "./command-rules.ts";
import type {
  CloseAllOutcome,
  CloseAllRequest,
  CommandLogQuery,
  CommandOutcome,
  CommandRequest,
  CommandService,
} from "./commands.ts";
import { forwardCommand } from "./forward.ts";
import { INTENTS } from "./intent.ts";
import type { ValveService, ValveServiceDeps } from "./valves.ts";
import { SHOWN_MS, type StoredWatering, WATERINGS, WateringRegistry } from "./waterings/watering-registry.ts";

/** Number of withdrawn openings kept in memory, because the store's log may be read before they are in it. */
const WITHDRAWN_AT_MOST = 1_000;
/** Callers of one account that wait for an answer at the same time. */
const WAITING_AT_MOST = 100;

type Answering = { readonly content: string; readonly outcome: Promise<CommandOutcome> };

/**
 * The valves of an account as its owner holds them: a {@link Channel} for each, which decides by `nextAction` alone, the
 * commands that wait for an answer, and the waterings.
 *
 * | a command | becomes | by |
 * | --- | --- | --- |
 * | new | answering | its call; the same id again gets the same answer (CMD-7) |
 * | answering | answered | the store knows it; it is refused; its channel has answered |
 * | any opening | withdrawn | its sender (CMD-12): refused from then on, whenever it arrives |
 *
 * A channel is made at its first command or report, and dropped once it is not listed and has nothing open.
 */
export class OwnedValves implements ValveService {
  readonly #deps: ValveServiceDeps;
  readonly #newId: () => string;
  readonly #shared: ChannelDeps;
  readonly #durable: WriteBehind<DocumentChange>;
  readonly #waterings: WateringRegistry;
  readonly #channels = new Map<string, Channel>();
  readonly #answering = new Map<string, Answering>();
  /** Ids of withdrawn openings. */
  readonly #withdrawn = new Set<string>();

  private constructor(deps: ValveServiceDeps, newId: () => string) {
    this.#deps = deps;
    this.#newId = newId;
    const { state, store, upstream, settings, past, time, log } = deps;
    this.#durable = new WriteBehind<DocumentChange>({
      write: (changes) => store.write(changes),
      timers: time,
      onFailure: notPersisted(
        log,
        "error",
        { event: "valve-changes-not-stored" },
        "cannot store valve changes, retrying",
      ),
      onCaughtUp: () => log.info({ event: "valve-backlog-stored" }, "stored waiting valve changes"),
    });
    const durable = this.#durable;
    this.#waterings = new WateringRegistry({ writer: state, durable, time, log, newId, settings, past });
    this.#shared = { state, durable, upstream, runs: settings.runs, time, log, waterings: this.#waterings };
    time.onJump((jumpMs) => {
      log.warn({ event: "clock-set", jumpMs }, "clock was set, moving ends of runs");
      for (const channel of this.#channels.values()) channel.shift(jumpMs);
    });
  }

  /**
   * Load the account's intents and waterings, and restore their timers (RUN-3).
   * @throws StoreUnavailableError when the stored intents cannot be read
   */
  static async load(
    deps: ValveServiceDeps,
    { newId = randomUUID }: { newId?: () => string } = {},
  ): Promise<OwnedValves> {
    const valves = new OwnedValves(deps, newId);
    await valves.#load();
    return valves;
  }

  // Commands of people and of the relay.

  command(request: CommandRequest): Promise<CommandOutcome> {
    this.#deps.time.noticeJump();
    return this.#command(request);
  }

  withdraw(opening: CommandRequest): Promise<CommandOutcome> {
    this.#deps.time.noticeJump();
    const { commandId, controllerId, number } = opening;
    this.#withdrawn.add(commandId);
    for (const oldest of this.#withdrawn) {
      if (this.#withdrawn.size <= WITHDRAWN_AT_MOST) break;
      this.#withdrawn.delete(oldest);
    }
    const channelKey = this.#findChannelKey(controllerId, number);
    if (channelKey === undefined) return Promise.resolve(REFUSED.notFound);
    return this.#channelAt(channelKey).withdraw(opening, async () => {
      const entry = await this.#storedEntry(commandId);
      return entry === null ? null : this.#newestOf(entry);
    });
  }

  closeAll(request: CloseAllRequest): Promise<CloseAllOutcome> {
    this.#deps.time.noticeJump();
    return closeAll(request, this.#shared, (command, persist) => this.#command(command, persist));
  }

  // Reports.

  report(channelKey: string, report: ChannelReport): void {
    this.#deps.time.noticeJump();
    this.#channelAt(channelKey).report(report);
  }

  gone(channelKey: string): void {
    this.#channels.get(channelKey)?.gone();
  }

  received(controllerId: string): void {
    this.#deps.time.noticeJump();
    for (const channel of this.#channels.values()) channel.received(controllerId);
  }

  credentialLent(): void {
    for (const channel of this.#channels.values()) channel.credentialLent();
  }

  // What is known.

  commands(query: CommandLogQuery): ReturnType<CommandService["commands"]> {
    const { store, state, log, time } = this.#deps;
    return readCommands(query, { store, writer: state, log, now: time.now() });
  }

  async waterings({ since }: { since: number }): ReturnType<CommandService["waterings"]> {
    const stored = await this.#storedWaterings(since);
    const found = new Map(stored.map((one) => [one.watering.id, one]));
    // The store may lag behind, and a running watering may have begun before the range.
    for (const one of this.#waterings.shown()) {
      const isAsked = one.watering.end === null || Date.parse(one.watering.start) >= since;
      if (isAsked) found.set(one.watering.id, one);
    }
    return {
      waterings: [...found.values()].map(({ channelKey, watering }) => ({ channelKey, watering })),
      watchedSince: this.#deps.past.watchedSince(),
    };
  }

  get busy(): boolean {
    return (
      this.#waterings.anyRunning ||
      this.#answering.size > 0 ||
      [...this.#channels.values()].some(({ busy }) => busy)
    );
  }

  close(): void {
    this.#durable.close();
    this.#waterings.close();
    for (const channel of this.#channels.values()) channel.close();
  }

  // Channels.

  #channelAt(channelKey: string): Channel {
    const known = this.#channels.get(channelKey);
    if (known) return known;
    for (const [key, channel] of this.#channels) {
      if (this.#deps.state.get(key) !== undefined || channel.busy) continue;
      channel.close();
      this.#channels.delete(key);
    }
    const made = new Channel(channelKey, this.#shared, this.#newId);
    this.#channels.set(channelKey, made);
    return made;
  }

  #findChannelKey(controllerId: string, number: number): string | undefined {
    const { state } = this.#deps;
    for (const key of state.keys()) {
      if (!key.startsWith("channel:")) continue;
      const value = state.get(key);
      if (String(value?.controllerId) === controllerId && value?.number === number) return key;
    }
    return undefined;
  }

  // One command at a time for each id.

  #command(request: CommandRequest, persist?: Persist): Promise<CommandOutcome> {
    const content = contentOf(request);
    const same = this.#answering.get(request.commandId);
    if (same) return same.content === content ? same.outcome : Promise.resolve(REFUSED.conflict);
    if (this.#answering.size >= WAITING_AT_MOST && request.target !== 2) {
      return Promise.resolve(REFUSED.tooMany);
    }
    const outcome = this.#answer(request, persist).finally(() => this.#answering.delete(request.commandId));
    this.#answering.set(request.commandId, { content, outcome });
    return outcome;
  }

  async #answer(request: CommandRequest, persist?: Persist): Promise<CommandOutcome> {
    try {
      const known = await this.#answerFromStore(request);
      if (known) return known;
    } catch (error) {
      this.#deps.log.error({ event: "command-log-unreadable", err: error }, "cannot read command log");
      if (request.target !== 2) return REFUSED.storeDown;
    }
    const channelKey = this.#findChannelKey(request.controllerId, request.number);
    if (channelKey === undefined) return REFUSED.notFound;
    if (request.target === null) return forwardCommand(request, channelKey, this.#shared);
    const isWithdrawn = (): boolean => this.#withdrawn.has(request.commandId);
    return this.#channelAt(channelKey).command(request, { ...(persist && { persist }), isWithdrawn });
  }

  async #answerFromStore(request: CommandRequest): Promise<CommandOutcome | null> {
    const entry = await this.#storedEntry(request.commandId);
    if (entry === null || this.#deps.time.now() - entry.at >= REMEMBERED_MS) return null;
    if (entry.reason === REFUSED.withdrawn.code) return REFUSED.withdrawn;
    if (entry.content !== contentOf(request)) return REFUSED.conflict;
    const refusal = entry.state === "refused" ? refusedBefore(entry.reason) : null;
    if (refusal) return refusal;
    return { ok: true, record: recordOf(await this.#newestOf(entry)) };
  }

  /** Return the command that answers for a stored id, in its newest state. */
  async #newestOf(entry: CommandLogEntry): Promise<CommandLogEntry> {
    const id = entry.sameAs ?? entry.commandId;
    const live = this.#channels.get(entry.channelKey)?.entry;
    if (live?.commandId === id) return live;
    return (entry.sameAs === null ? null : await this.#storedEntry(id)) ?? entry;
  }

  // The store.

  async #load(): Promise<void> {
    const { store, time, log } = this.#deps;
    this.#waterings.load(await this.#storedWaterings(time.now() - 2 * SHOWN_MS));
    for (const { key: channelKey, read: parsed } of await store.list(INTENTS)) {
      if (parsed.ok) {
        const entry = await this.#storedEntry(parsed.value.commandId);
        this.#channelAt(channelKey).resume(parsed.value, entry);
      } else
        log.error(
          { event: "stored-intent-unreadable", channelKey, at: parsed.path },
          "cannot read stored intent",
        );
    }
  }

  async #storedEntry(commandId: string): Promise<CommandLogEntry | null> {
    const parsed = await this.#deps.store.get(COMMANDS, commandId);
    if (parsed === undefined) return null;
    if (parsed.ok) return parsed.value;
    this.#deps.log.error(
      { event: "stored-command-unreadable", commandId, at: parsed.path },
      "cannot read stored command",
    );
    return null;
  }

  async #storedWaterings(since: number): Promise<StoredWatering[]> {
    return (await this.#deps.store.since(WATERINGS, since)).flatMap((parsed) => {
      if (parsed.ok) return [parsed.value];
      this.#deps.log.error(
        { event: "stored-watering-unreadable", at: parsed.path },
        "cannot read stored watering",
      );
      return [];
    });
  }
}
