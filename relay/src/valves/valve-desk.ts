import { randomUUID } from "node:crypto";
import { parse } from "@mulkko/shared/schema/parse";
import { Intent } from "../core/intent.ts";
import type { CommandOutcome, CommandRequest } from "../ports/commands.ts";
import type { ValveDesk, ValveDeskParts } from "../ports/valves.ts";
import { type ChannelDesk, createChannelDesk } from "./channel-desk.ts";
import type { PutDown } from "./channel-presses.ts";
import { closeAll } from "./close-all.ts";
import { readCommands } from "./command-log.ts";
import { CommandLogEntry, contentOf, recordOf } from "./command-log-entry.ts";
import type { DeskTools } from "./desk-tools.ts";
import { createDurableWriter } from "./durable-writer.ts";
import { forwardCommand } from "./forward.ts";
import { PLAIN_RUNS, REFUSED, refusedBefore } from "./press-rules.ts";
import { createStoreTime } from "./store-time.ts";
import { createWateringBook, SHOWN_MS, StoredWatering } from "./watering-book.ts";

/** CMD-7: for how long an id answers with what became of it. */
const REMEMBERED_MS = 24 * 3_600_000;
/** Openings taken back that are remembered beside the store, whose log may be read before they are in it. */
const WITHDRAWN_AT_MOST = 1_000;
/** Callers of one account who wait for an answer at the same time. */
const WAITING_AT_MOST = 100;

/**
 * Makes the valve desk of an account: loads its intents and waterings, takes their timers up again (RUN-3), and
 * from then on decides by `nextAction` alone.
 *
 * @throws StoreUnavailableError when the stored intents cannot be read
 */
export async function createValveDesk(
  parts: ValveDeskParts,
  { newId = randomUUID }: { newId?: () => string } = {},
): Promise<ValveDesk> {
  const { writer, store, upstream, reads, runs = PLAIN_RUNS, clock, timers, log } = parts;
  const time = createStoreTime(store, clock);
  const durable = createDurableWriter({ store, timers, log });
  const waterings = createWateringBook({
    writer,
    durable,
    timers,
    time,
    log,
    newId,
    flowSensorOf: parts.flowSensorOf ?? (() => null),
    pastMoisture: parts.pastMoisture ?? (() => Promise.resolve(null)),
  });
  const channels = new Map<string, ChannelDesk>();
  const answering = new Map<string, { content: string; outcome: Promise<CommandOutcome> }>();
  const withdrawn = new Set<string>();
  const noticeJump = (): void => {
    const jump = time.takeJump();
    if (jump === 0) return;
    log.warn({ jumpMs: jump }, "the clock was set; ends of runs move with it");
    for (const channel of channels.values()) channel.shift(jump);
  };
  const tools: DeskTools = {
    writer,
    durable,
    upstream,
    reads,
    runs,
    timers,
    time,
    log,
    waterings,
    newId,
    noticeJump,
    isWithdrawn: (commandId) => withdrawn.has(commandId),
  };

  const channelAt = (channelKey: string): ChannelDesk => {
    const known = channels.get(channelKey);
    if (known) return known;
    for (const [key, channel] of channels) {
      if (writer.get(key) !== undefined || channel.busy) continue;
      channel.close();
      channels.delete(key);
    }
    const made = createChannelDesk(channelKey, tools);
    channels.set(channelKey, made);
    return made;
  };
  const findChannelKey = (controllerId: string, number: number): string | undefined => {
    for (const key of writer.keys()) {
      if (!key.startsWith("channel:")) continue;
      const value = writer.get(key);
      if (String(value?.controllerId) === controllerId && value?.number === number) return key;
    }
    return undefined;
  };
  const storedEntry = async (commandId: string): Promise<CommandLogEntry | null> => {
    const stored = await store.command(commandId);
    if (stored === undefined || stored === null) return null;
    const parsed = parse(CommandLogEntry, stored);
    if (!parsed.ok) log.error({ commandId, at: parsed.path }, "a stored command cannot be read");
    return parsed.ok ? parsed.value : null;
  };
  /** The command that answers for a stored id, as far as it has come. */
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
  const answer = async (request: CommandRequest, putDown?: PutDown): Promise<CommandOutcome> => {
    try {
      const known = await answerFromStore(request);
      if (known) return known;
    } catch (error) {
      log.error({ err: error }, "the command log cannot be read");
      if (request.target !== 2) return REFUSED.storeDown;
    }
    const channelKey = findChannelKey(request.controllerId, request.number);
    if (channelKey === undefined) return REFUSED.notFound;
    if (request.target === null) return forwardCommand(request, channelKey, tools);
    return channelAt(channelKey).press(request, putDown);
  };
  const command = (request: CommandRequest, putDown?: PutDown): Promise<CommandOutcome> => {
    const content = contentOf(request);
    const same = answering.get(request.commandId);
    if (same) return same.content === content ? same.outcome : Promise.resolve(REFUSED.conflict);
    if (answering.size >= WAITING_AT_MOST && request.target !== 2) return Promise.resolve(REFUSED.tooMany);
    const outcome = answer(request, putDown).finally(() => answering.delete(request.commandId));
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
    (await store.wateringsSince(since)).flatMap((stored) => {
      const parsed = parse(StoredWatering, stored);
      if (parsed.ok) return [parsed.value];
      log.error({ at: parsed.path }, "a stored watering cannot be read");
      return [];
    });

  const load = async (): Promise<void> => {
    waterings.load(await storedWaterings(time.now() - 2 * SHOWN_MS));
    for (const { channelKey, intent } of await store.intents()) {
      const parsed = parse(Intent, intent);
      if (parsed.ok) channelAt(channelKey).resume(parsed.value, await storedEntry(parsed.value.commandId));
      else log.error({ channelKey, at: parsed.path }, "a stored intent cannot be read");
    }
  };
  await load();

  return {
    command(request) {
      noticeJump();
      return command(request);
    },
    withdraw(opening) {
      noticeJump();
      return withdraw(opening);
    },
    closeAll(request) {
      noticeJump();
      return closeAll(request, tools, command);
    },
    commands: (query) => readCommands(query, { store, writer, log, now: time.now() }),
    report(channelKey, report) {
      noticeJump();
      channelAt(channelKey).report(report);
    },
    gone(channelKey) {
      channels.get(channelKey)?.gone();
    },
    heard(controllerId) {
      noticeJump();
      for (const channel of channels.values()) channel.heard(controllerId);
    },
    async waterings(since) {
      const found = new Map((await storedWaterings(since)).map((stored) => [stored.watering.id, stored]));
      // The store may lag behind, and a watering that runs may have begun before.
      for (const stored of waterings.shown()) {
        const isAsked = stored.watering.end === null || Date.parse(stored.watering.start) >= since;
        if (isAsked) found.set(stored.watering.id, stored);
      }
      return [...found.values()].map(({ channelKey, watering }) => ({ channelKey, watering }));
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
