import type { LiveEvent } from "@mulkko/shared/live/events";
import { alarmKey, channelKey, controllerKey } from "@mulkko/shared/live/keys";
import { LIVE_LIMITS } from "@mulkko/shared/live/limits";
import type { EventStream, LoggedEvent } from "../ports/streams.ts";
import { createEventCopy } from "../streams/event-copy.ts";
import type { FarmDevices } from "./farm-devices.ts";

/** What of an account's log belongs to some of its farms; a notification names no device, and is left out. */
function belongs(event: LiveEvent, { sees }: Pick<FarmDevices, "sees">): boolean {
  switch (event.kind) {
    case "notification":
      return false;
    case "flip":
      return sees(event.key);
    case "command":
      return sees(event.channelId === null ? controllerKey(event.controllerId) : channelKey(event.channelId));
    case "alarm":
      return sees(alarmKey(event.alarm.id), event.alarm);
    case "watering":
      return sees(`watering:${event.watering.id}`, event.watering);
  }
}

/** The part of an account's `events` that belongs to some of its farms, with numbers of its own. */
export function createFarmEvents(parts: {
  source: EventStream;
  devices: Pick<FarmDevices, "sees">;
  newEpoch: () => string;
  onError: (error: unknown) => void;
}): { readonly stream: EventStream; close(): void } {
  const { source, devices, newEpoch, onError } = parts;
  const copy = createEventCopy(newEpoch(), [], 0, onError);
  let position = { epoch: source.epoch, offset: source.offset };

  const seen = (events: readonly LoggedEvent[]): LiveEvent[] =>
    events.flatMap(({ event }) => (belongs(event, devices) ? [event] : []));
  const beginAnew = (newest: readonly LoggedEvent[]): void => {
    const kept = seen(newest).map((event, index) => ({ offset: index + 1, event }));
    copy.fill(newEpoch(), kept, kept.length);
  };
  const follow = (): void => {
    for (;;) {
      const step = source.eventsSince(position, LIVE_LIMITS.eventPage);
      if (step.kind === "snapshot") {
        position = { epoch: step.epoch, offset: step.offset };
        beginAnew(step.newest);
        return;
      }
      for (const event of seen(step.missed)) copy.append({ offset: copy.stream.offset + 1, event });
      const last = step.missed.at(-1)?.offset ?? step.offset;
      position = { epoch: step.epoch, offset: last };
      if (last >= step.offset) return;
    }
  };

  const begun = source.eventsSince(undefined, LIVE_LIMITS.eventPage);
  if (begun.kind === "snapshot") beginAnew(begun.newest);
  const close = source.listen(follow);
  return { stream: copy.stream, close };
}
