import type { LiveEvent } from "@mulkko/shared/live/events";
import { LIVE_LIMITS } from "@mulkko/shared/live/limits";
import type { Clock } from "@mulkko/shared/rules/clock";
import { StoreUnavailableError } from "../errors.ts";
import type { StateStep, StepOutcome } from "../store.ts";
import { eventFrame, type LoggedEvent, type StateValue } from "../streams.ts";
import type { AccountCopy } from "./account-copy.ts";
import { InDoubtError } from "./connection.ts";
import type { Fenced } from "./fenced.ts";
import type { AccountKeys } from "./keys.ts";
import { asNumber, asText } from "./script.ts";
import { eventEntry, type Publisher } from "./stored-streams.ts";
import { APPEND, BEGIN, BEGIN_EVENTS, LOOK, STEP } from "./stream-scripts.ts";

/** Write the `devices` stream of an account that this node owns, and update its own copy. */
interface DeviceWriter {
  step(step: StateStep): Promise<StepOutcome>;
  /**
   * Begin an epoch.
   * @returns true if Redis had lost the account's data
   */
  begin(values: ReadonlyMap<string, StateValue>): Promise<boolean>;
}

export interface StreamWriterDeps {
  readonly names: AccountKeys;
  readonly fenced: Fenced;
  readonly copy: AccountCopy;
  readonly clock: Clock;
  readonly publication: Publisher;
  readonly newEpoch: () => string;
  /** Return a token that no other step of the account has. */
  readonly newToken: () => string;
}

export function createDeviceWriter(deps: StreamWriterDeps): DeviceWriter {
  const { names, fenced, clock } = deps;
  const { devices } = deps.copy;
  const keys = [names.values, names.index, names.tombstones, names.buried];
  /** A step without an answer so far. */
  let doubtful: { readonly step: StateStep; readonly token: string; readonly epoch: string } | undefined;

  const apply = (step: StateStep, epoch: string): void => {
    const { stream } = devices;
    if (stream.epoch === epoch && stream.offset === step.frame.from) {
      devices.apply(step, step.frame, clock.monotonic());
    }
  };
  const send = async (step: StateStep, token: string, epoch: string) => {
    const { from, bytes } = step.frame;
    const message = deps.publication("S", epoch, bytes);
    const values = [...step.set].flatMap(([key, value]) => [key, JSON.stringify(value)]);
    const now = clock.now();
    const head = [fenced.replid(), from, token, now, names.channel, message, step.set.size];
    try {
      return await fenced.run(STEP, keys, [...head, ...values, ...step.del]);
    } catch (error) {
      if (error instanceof InDoubtError) doubtful = { step, token, epoch };
      throw error;
    }
  };

  return {
    async step(step) {
      const { stream } = devices;
      const { epoch } = stream;
      // A frame created before the copy moved on would leave a gap in it.
      if (step.frame.from !== stream.offset) {
        // A former owner must not learn from it where it could continue.
        await fenced.run(LOOK, [], []);
        return { kind: "moved", offset: stream.offset };
      }
      const token = deps.newToken();
      const { word, rest } = await send(step, token, epoch);
      if (word !== "moved") {
        doubtful = undefined;
        apply(step, epoch);
        return { kind: "written", offset: step.frame.offset };
      }
      const doubt = doubtful;
      doubtful = undefined;
      if (doubt?.epoch === epoch && asText(rest[1]) === doubt.token) {
        apply(doubt.step, epoch);
        throw new StoreUnavailableError("A newer step was stored first: repeat this step.");
      }
      return { kind: "moved", offset: asNumber(rest[0]) };
    },
    async begin(values) {
      const epoch = deps.newEpoch();
      const pairs = [...values].flatMap(([key, value]) => [key, JSON.stringify(value)]);
      const message = deps.publication("B", epoch);
      const { rest } = await fenced.run(BEGIN, keys, [
        fenced.replid(),
        epoch,
        names.channel,
        message,
        ...pairs,
      ]);
      doubtful = undefined;
      devices.begin(epoch, values);
      return asNumber(rest[0]) === 1;
    },
  };
}

/** Write the `events` stream of an account that this node owns, and update its own copy. */
interface EventWriter {
  append(event: LiveEvent): Promise<LoggedEvent>;
  /** Write the whole log of this node's copy under a new epoch. */
  begin(): Promise<void>;
}

/** Attempts to log an event again after a conflict was settled. */
const AGAIN = 2;

/**
 * Create the writer.
 * @param recover writes both streams again after Redis has lost data
 */
export function createEventWriter(deps: StreamWriterDeps, recover: () => Promise<void>): EventWriter {
  const { names, fenced } = deps;
  const { events } = deps.copy;
  /** An event without an answer so far. */
  let doubtful: { readonly logged: LoggedEvent; readonly token: string; readonly epoch: string } | undefined;

  const apply = (logged: LoggedEvent, epoch: string): void => {
    const { stream } = events;
    if (stream.epoch === epoch && stream.offset === logged.offset - 1) events.append(logged);
  };
  const send = async (logged: LoggedEvent, token: string, epoch: string) => {
    const message = deps.publication("E", epoch, eventFrame(logged).bytes);
    const oldest = deps.clock.now() - LIVE_LIMITS.eventsKeptMs;
    const entry = eventEntry(logged);
    const args = [fenced.replid(), epoch, logged.offset - 1, token, oldest, entry, names.channel, message];
    try {
      return await fenced.run(APPEND, [names.events], args);
    } catch (error) {
      if (error instanceof InDoubtError) doubtful = { logged, token, epoch };
      throw error;
    }
  };

  return {
    async append(event) {
      for (let n = 0; n <= AGAIN; n += 1) {
        const { epoch, offset } = events.stream;
        const logged = { offset: offset + 1, event };
        const token = deps.newToken();
        const { word, rest } = await send(logged, token, epoch);
        const doubt = doubtful;
        doubtful = undefined;
        if (word !== "moved") {
          apply(logged, epoch);
          return logged;
        }
        if (doubt?.epoch === epoch && asText(rest[1]) === doubt.token) {
          apply(doubt.logged, epoch);
          if (doubt.logged.event === event) return doubt.logged;
        } else await recover();
      }
      throw new StoreUnavailableError("The event log changed during every attempt to write.");
    },
    async begin() {
      const epoch = deps.newEpoch();
      const { stream } = events;
      const kept = [...events.log()];
      const message = deps.publication("B", epoch);
      const args = [epoch, stream.offset, names.channel, message, ...kept.map(eventEntry)];
      await fenced.run(BEGIN_EVENTS, [names.events], args);
      doubtful = undefined;
      events.fill(epoch, kept, stream.offset);
    },
  };
}
