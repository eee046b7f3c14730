import type { Clock } from "@mulkko/shared/rules/clock";
import type { StateValue } from "../../ports/streams.ts";
import { StoreUnavailableError } from "../errors.ts";
import type { StateStep, StepOutcome } from "../store.ts";
import type { AccountCopy } from "./account-copy.ts";
import { InDoubtError } from "./connection.ts";
import type { Fenced } from "./fenced.ts";
import type { AccountKeys } from "./keys.ts";
import { publicationText } from "./publication.ts";
import { asNumber, asText } from "./reply.ts";
import type { StoreClock } from "./store-clock.ts";
import { BEGIN, LOOK, STEP } from "./stream-scripts.ts";
import { valueText } from "./value-text.ts";

/** Writes the `devices` stream of an account that this node owns, and moves its own copy along. */
export interface DeviceWriter {
  step(step: StateStep): Promise<StepOutcome>;
  /** @returns true if Redis had lost what it kept of the account */
  begin(values: ReadonlyMap<string, StateValue>): Promise<boolean>;
}

export interface StreamWriterParts {
  readonly names: AccountKeys;
  readonly fenced: Fenced;
  readonly copy: AccountCopy;
  readonly node: string;
  readonly replid: () => string;
  readonly clock: Clock;
  readonly storeClock: StoreClock;
  readonly newEpoch: () => string;
  /** A name for a step that no other step of the account has. */
  readonly newToken: () => string;
}

export function createDeviceWriter(parts: StreamWriterParts): DeviceWriter {
  const { names, fenced, clock } = parts;
  const { devices } = parts.copy;
  const keys = [names.values, names.index, names.tombstones, names.buried];
  /** A step whose answer never came. */
  let doubtful: { readonly step: StateStep; readonly token: string; readonly epoch: string } | undefined;

  const apply = (step: StateStep, epoch: string): void => {
    const { stream } = devices;
    if (stream.epoch === epoch && stream.offset === step.frame.from) {
      devices.apply(step, step.frame, clock.monotonic());
    }
  };
  const send = async (step: StateStep, token: string, epoch: string) => {
    const { from, bytes } = step.frame;
    const message = publicationText("S", parts.node, epoch, bytes);
    const values = [...step.set].flatMap(([key, value]) => [key, valueText(value)]);
    const now = parts.storeClock.now();
    const head = [parts.replid(), from, token, now, names.channel, message, step.set.size];
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
      // A frame that was made before the copy moved on would leave a hole in it.
      if (step.frame.from !== stream.offset) {
        // Nor may an owner that is none any more learn from it where it could go on.
        await fenced.run(LOOK, [], []);
        return { kind: "moved", offset: stream.offset };
      }
      const token = parts.newToken();
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
        throw new StoreUnavailableError("The step before this one had been written: this one is made anew.");
      }
      return { kind: "moved", offset: asNumber(rest[0]) };
    },
    async begin(values) {
      const epoch = parts.newEpoch();
      const pairs = [...values].flatMap(([key, value]) => [key, valueText(value)]);
      const message = publicationText("B", parts.node, epoch);
      const { rest } = await fenced.run(BEGIN, keys, [
        parts.replid(),
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
