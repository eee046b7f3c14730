import type { AlarmDetail, AlarmType } from "@mulkko/shared/live/alarm";
import type { NotificationEvent } from "@mulkko/shared/live/events";
import {
  deviceNamedIn,
  type NameOfDevice,
  notificationAlarm,
  SILENT_TYPES,
  WELL_FROM,
} from "../core/alarm-rules.ts";
import type { StateValue } from "../ports/streams.ts";
import type { AlarmSource, SourceParts } from "./alarm-source.ts";
import { ACCOUNT_KEY } from "./outage-alarms.ts";

export interface NotificationAlarmsParts extends SourceParts {
  /** The device's silence is part of an outage. */
  readonly isFolded: (deviceKey: string) => boolean;
  /** An outage covers everything. */
  readonly isOutage: () => boolean;
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

/**
 * What the farm API has noticed itself (ALM-1), all P3. A notification names no device by its id; one whose words
 * name none either cannot be seen to be over: it is told, and stays until somebody acknowledges it.
 */
export function createNotificationAlarms(parts: NotificationAlarmsParts): AlarmSource {
  const { sink, writer } = parts;

  function* devices(): Iterable<NameOfDevice> {
    for (const key of writer.keys()) {
      if (!key.startsWith("sensor:") && !key.startsWith("controller:")) continue;
      const info = writer.get(key)?.info;
      yield { key, name: textOf(fieldOf(info, "name")), serial: String(fieldOf(info, "serial") ?? "") };
    }
  }
  const take = ({ type, message, at }: NotificationEvent): void => {
    const alarm = notificationAlarm(type);
    const device = alarm === "notice" ? null : deviceNamedIn(message, devices());
    const detail = { message, type, at, ...(device !== null && measuredOf(device, alarm)) };
    const condition = { priority: 3, detail } as const;
    if (device === null) {
      if (alarm === "device" && parts.isOutage()) return;
      sink.note(ACCOUNT_KEY, alarm, condition);
      return;
    }
    // The relay's own word for the same silence counts; the API's only adds to it.
    const silent = SILENT_TYPES.some((type) => sink.active(device, type) !== undefined);
    if (alarm === "device" && (silent || parts.isOutage() || parts.isFolded(device))) return;
    sink.raise(device, alarm, condition);
  };
  /** The device's own numbers for what the notification says: screens say them in their own language. */
  const measuredOf = (device: string, alarm: AlarmType): AlarmDetail => {
    const value = writer.get(device);
    const battery = value?.battery ?? fieldOf(value?.reading, "battery");
    const rssi = value?.rssi ?? fieldOf(value?.reading, "rssi");
    if (alarm === "battery" && typeof battery === "number" && battery < WELL_FROM.battery) return { battery };
    if (alarm === "rssi" && typeof rssi === "number" && rssi < WELL_FROM.rssi) return { rssi };
    if (alarm === "device" && typeof value?.heardAt === "string") return { since: value.heardAt };
    return {};
  };
  const isWell = (measured: unknown, from: number): boolean =>
    typeof measured === "number" && measured >= from;
  const look = (key: string, value: StateValue): void => {
    const { battery = fieldOf(value.reading, "battery"), rssi = fieldOf(value.reading, "rssi") } = value;
    if (isWell(battery, WELL_FROM.battery)) sink.clear(key, "battery");
    if (isWell(rssi, WELL_FROM.rssi)) sink.clear(key, "rssi");
    const silent = sink.active(key, "device");
    const heardAt = textOf(value.heardAt);
    if (silent && heardAt !== null && heardAt > silent.raisedAt) sink.clear(key, "device");
  };

  return {
    event(event) {
      if (event.kind === "notification") take(event);
    },
    changed(key, fields) {
      if (!key.startsWith("sensor:") && !key.startsWith("controller:")) return;
      const value = writer.get(key);
      if (value && (!fields || "reading" in fields || "rssi" in fields || "heardAt" in fields))
        look(key, value);
    },
  };
}
