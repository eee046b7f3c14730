import { randomUUID } from "node:crypto";
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
import type { CommandOutcome, CommandRequest } from "./commands.ts";
import { forwardCommand } from "./forward.ts";
import { INTENTS } from "./intent.ts";
import type { ValveService, ValveServiceDeps } from "./valves.ts";
import { SHOWN_MS, type StoredWatering, WATERINGS, WateringRegistry } from "./waterings/watering-registry.ts";

/** Number of withdrawn openings kept in memory, because the store's log may be read before they are in it. */
const WITHDRAWN_AT_MOST = 1_000;
/** Callers of one account that wait for an answer at the same time. */
const WAITING_AT_MOST = 100;

/**
 * Create the valve service of an account. Load its intents and waterings, restore their timers (RUN-3), and
 * then decide by `nextAction` alone.
 * @throws StoreUnavailableError when the stored intents cannot be read
 */
export async function createValveService(
  deps: ValveServiceDeps,
  { newId = randomUUID }: { newId?: () => string } = {},
): Promise<ValveService> {
  const { state, store, upstream, settings, past, time, log } = deps;
  const durable = new WriteBehind<DocumentChange>({
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
  const waterings = new WateringRegistry({ writer: state, durable, time, log, newId, settings, past });
  const channels = new Map<string, Channel>();
  const answering = new Map<string, { content: string; outcome: Promise<CommandOutcome> }>();
  const withdrawn = new Set<string>();
  time.onJump((jumpMs) => {
    log.warn({ event: "clock-set", jumpMs }, "clock was set, moving ends of runs");
    for (const channel of channels.values()) channel.shift(jumpMs);
  });
  const shared: ChannelDeps = { state, durable, upstream, runs: settings.runs, time, log, waterings };

  const channelAt = (channelKey: string): Channel => {
    const known = channels.get(channelKey);
    if (known) return known;
    for (const [key, channel] of channels) {
      if (state.get(key) !== undefined || channel.busy) continue;
      channel.close();
      channels.delete(key);
    }
    const made = new Channel(channelKey, shared, newId);
    channels.set(channelKey, made);
    return made;
  };
  const findChannelKey = (controllerId: string, number: number): string | undefined => {
    for (const key of state.keys()) {
      if (!key.startsWith("channel:")) continue;
      const value = state.get(key);
      if (String(value?.controllerId) === controllerId && value?.number === number) return key;
    }
    return undefined;
  };
  const storedEntry = async (commandId: string): Promise<CommandLogEntry | null> => {
    const parsed = await store.get(COMMANDS, commandId);
    if (parsed === undefined) return null;
    if (!parsed.ok)
      log.error(
        { event: "stored-command-unreadable", commandId, at: parsed.path },
        "cannot read stored command",
      );
    return parsed.ok ? parsed.value : null;
  };
  /** Return the command that answers for a stored id, in its newest state. */
  const newestOf = async (entry: CommandLogEntry): Promise<CommandLogEntry> => {
    const id = entry.sameAs ?? entry.commandId;
    const live = channels.get(entry.channelKey)?.entry;
    if (live?.commandId === id) return live;
    return (entry.sameAs === null ? null : await storedEntry(id)) ?? entry;
  };
  const answerFromStore = async (request: CommandRequest): Promise<CommandOutcome | null> => {
    const entry = await storedEntry(request.commandId);
    if (entry === null || time.now() - entry.at >= REMEMBERED_MS) return null;
    if (entry.reason === REFUSED.withdrawn.code) return REFUSED.withdrawn;
    if (entry.content !== contentOf(request)) return REFUSED.conflict;
    const refusal = entry.state === "refused" ? refusedBefore(entry.reason) : null;
    if (refusal) return refusal;
    return { ok: true, record: recordOf(await newestOf(entry)) };
  };
  const answer = async (request: CommandRequest, persist?: Persist): Promise<CommandOutcome> => {
    try {
      const known = await answerFromStore(request);
      if (known) return known;
    } catch (error) {
      log.error({ event: "command-log-unreadable", err: error }, "cannot read command log");
      if (request.target !== 2) return REFUSED.storeDown;
    }
    const channelKey = findChannelKey(request.controllerId, request.number);
    if (channelKey === undefined) return REFUSED.notFound;
    if (request.target === null) return forwardCommand(request, channelKey, shared);
    const isWithdrawn = (): boolean => withdrawn.has(request.commandId);
    return channelAt(channelKey).command(request, { ...(persist && { persist }), isWithdrawn });
  };
  const command = (request: CommandRequest, persist?: Persist): Promise<CommandOutcome> => {
    const content = contentOf(request);
    const same = answering.get(request.commandId);
    if (same) return same.content === content ? same.outcome : Promise.resolve(REFUSED.conflict);
    if (answering.size >= WAITING_AT_MOST && request.target !== 2) return Promise.resolve(REFUSED.tooMany);
    const outcome = answer(request, persist).finally(() => answering.delete(request.commandId));
    answering.set(request.commandId, { content, outcome });
    return outcome;
  };
  const withdraw = async (opening: CommandRequest): Promise<CommandOutcome> => {
    const { commandId, controllerId, number } = opening;
    withdrawn.add(commandId);
    for (const oldest of withdrawn) {
      if (withdrawn.size <= WITHDRAWN_AT_MOST) break;
      withdrawn.delete(oldest);
    }
    const channelKey = findChannelKey(controllerId, number);
    if (channelKey === undefined) return REFUSED.notFound;
    return channelAt(channelKey).withdraw(opening, async () => {
      const entry = await storedEntry(commandId);
      return entry === null ? null : newestOf(entry);
    });
  };

  const storedWaterings = async (since: number): Promise<StoredWatering[]> =>
    (await store.since(WATERINGS, since)).flatMap((parsed) => {
      if (parsed.ok) return [parsed.value];
      log.error({ event: "stored-watering-unreadable", at: parsed.path }, "cannot read stored watering");
      return [];
    });

  const load = async (): Promise<void> => {
    waterings.load(await storedWaterings(time.now() - 2 * SHOWN_MS));
    for (const { key: channelKey, read: parsed } of await store.list(INTENTS)) {
      if (parsed.ok) channelAt(channelKey).resume(parsed.value, await storedEntry(parsed.value.commandId));
      else
        log.error(
          { event: "stored-intent-unreadable", channelKey, at: parsed.path },
          "cannot read stored intent",
        );
    }
  };
  await load();

  return {
    command(request) {
      time.noticeJump();
      return command(request);
    },
    withdraw(opening) {
      time.noticeJump();
      return withdraw(opening);
    },
    closeAll(request) {
      time.noticeJump();
      return closeAll(request, shared, command);
    },
    commands: (query) => readCommands(query, { store, writer: state, log, now: time.now() }),
    report(channelKey, report) {
      time.noticeJump();
      channelAt(channelKey).report(report);
    },
    gone(channelKey) {
      channels.get(channelKey)?.gone();
    },
    received(controllerId) {
      time.noticeJump();
      for (const channel of channels.values()) channel.received(controllerId);
    },
    credentialLent() {
      for (const channel of channels.values()) channel.credentialLent();
    },
    async waterings({ since }) {
      const found = new Map((await storedWaterings(since)).map((stored) => [stored.watering.id, stored]));
      // The store may lag behind, and a running watering may have begun before the range.
      for (const stored of waterings.shown()) {
        const isAsked = stored.watering.end === null || Date.parse(stored.watering.start) >= since;
        if (isAsked) found.set(stored.watering.id, stored);
      }
      return {
        waterings: [...found.values()].map(({ channelKey, watering }) => ({ channelKey, watering })),
        watchedSince: past.watchedSince(),
      };
    },
    get busy() {
      return waterings.anyRunning || answering.size > 0 || [...channels.values()].some(({ busy }) => busy);
    },
    close() {
      durable.close();
      waterings.close();
      for (const channel of channels.values()) channel.close();
    },
  };
}
