import type { LiveEvent } from "@mulkko/shared/live/events";
import { LIVE_LIMITS } from "@mulkko/shared/live/limits";
import { alarmKey, channelKey, controllerKey } from "@mulkko/shared/rules/device-keys";
import { withoutNames, withoutPlace } from "../account/farm-filter.ts";
import { createEventCopy } from "../store/streams/event-copy.ts";
import type { EventStream, LoggedEvent } from "../store/streams.ts";
import type { FarmDevices } from "./farm-devices.ts";

/** Return true if an event belongs to the farms. A notification names no device, and is left out. */
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

/** Return the event without its names, which may be those of another farm's sensors (NAME-1). */
function cut(event: LiveEvent): LiveEvent {
  switch (event.kind) {
    case "alarm":
      return { ...event, alarm: withoutNames(event.alarm) };
    case "watering":
      return { ...event, watering: withoutPlace(event.watering) };
    default:
      return event;
  }
}

/** Create the part of an account's `events` that belongs to some of its farms, with its own numbers. */
export function createFarmEvents(deps: {
  source: EventStream;
  devices: Pick<FarmDevices, "sees">;
  newEpoch: () => string;
  onError: (error: unknown) => void;
}): { readonly stream: EventStream; close(): void } {
  const { source, devices, newEpoch, onError } = deps;
  const copy = createEventCopy(newEpoch(), [], 0, onError);
  let position = { epoch: source.epoch, offset: source.offset };

  const seen = (events: readonly LoggedEvent[]): LiveEvent[] =>
    events.flatMap(({ event }) => (belongs(event, devices) ? [cut(event)] : []));
  const restart = (newest: readonly LoggedEvent[]): void => {
    const kept = seen(newest).map((event, index) => ({ offset: index + 1, event }));
    copy.fill(newEpoch(), kept, kept.length);
  };
  const follow = (): void => {
    for (;;) {
      const step = source.eventsSince(position, LIVE_LIMITS.eventPage);
      if (step.kind === "snapshot") {
        position = { epoch: step.epoch, offset: step.offset };
        restart(step.newest);
        return;
      }
      for (const event of seen(step.missed)) copy.append({ offset: copy.stream.offset + 1, event });
      const last = step.missed.at(-1)?.offset ?? step.offset;
      position = { epoch: step.epoch, offset: last };
      if (last >= step.offset) return;
    }
  };

  const begun = source.eventsSince(undefined, LIVE_LIMITS.eventPage);
  if (begun.kind === "snapshot") restart(begun.newest);
  const close = source.listen(follow);
  return { stream: copy.stream, close };
}
