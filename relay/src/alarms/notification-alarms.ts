import type { AlarmDetail, AlarmType } from "@mulkko/shared/live/alarm";
import type { NotificationEvent } from "@mulkko/shared/live/events";
import { batteryLimits, batteryPercent, signalLimits } from "@mulkko/shared/rules/device-health";
import { deviceNamedIn, type NameOfDevice } from "@mulkko/shared/rules/named-device";
import type { StateValue } from "../store/streams.ts";
import { notificationAlarm, SILENT_TYPES } from "./alarm-rules.ts";
import type { AlarmSource, SourceDeps } from "./alarm-source.ts";
import { ACCOUNT_KEY } from "./outage-alarms.ts";

export interface NotificationAlarmsDeps extends SourceDeps {
  /** True while the device's silence is part of an outage. */
  readonly isPartOfOutage: (deviceKey: string) => boolean;
  /** True while an outage covers everything. */
  readonly isOutage: () => boolean;
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
/** Return the battery (%) and signal (dBm) from which a device has recovered, whatever was notified. */
function recoveryOf(value: StateValue | undefined): { battery: number; rssi: number } {
  const deviceType = String(fieldOf(value?.info, "deviceType") ?? fieldOf(value?.info, "type") ?? "");
  return { battery: batteryLimits(deviceType).endsFrom, rssi: signalLimits(deviceType).endsFrom };
}

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

/**
 * Raise alarms for the farm API's own notifications (ALM-1), all P3. A notification has no device id. If its
 * text names no device either, its end cannot be observed: the alarm stays until a person acknowledges it.
 */
export function createNotificationAlarms(deps: NotificationAlarmsDeps): AlarmSource {
  const { sink, state } = deps;

  function* devices(): Iterable<NameOfDevice> {
    for (const key of state.keys()) {
      if (!key.startsWith("sensor:") && !key.startsWith("controller:")) continue;
      const info = state.get(key)?.info;
      yield { key, name: textOf(fieldOf(info, "name")), serial: String(fieldOf(info, "serial") ?? "") };
    }
  }
  const handleNotification = ({ type, message, at }: NotificationEvent): void => {
    const alarm = notificationAlarm(type);
    const device = alarm === "notice" ? null : deviceNamedIn(message, devices());
    const detail = { message, type, at, ...(device !== null && measuredOf(device, alarm)) };
    const condition = { priority: 3, detail } as const;
    if (device === null) {
      if (alarm === "device" && deps.isOutage()) return;
      sink.note(ACCOUNT_KEY, alarm, condition);
      return;
    }
    // The relay's own alarm about the same silence counts; the API's text only adds to it.
    const silent = SILENT_TYPES.some((type) => sink.active(device, type) !== undefined);
    if (alarm === "device" && (silent || deps.isOutage() || deps.isPartOfOutage(device))) return;
    sink.raise(device, alarm, condition);
  };
  /** Return the device's own numbers for the notification: screens show them in their own language. */
  const measuredOf = (device: string, alarm: AlarmType): AlarmDetail => {
    const value = state.get(device);
    const said = value?.battery ?? fieldOf(value?.reading, "battery");
    const battery = typeof said === "number" ? batteryPercent(said) : null;
    const rssi = value?.rssi ?? fieldOf(value?.reading, "rssi");
    const wellFrom = recoveryOf(value);
    if (alarm === "battery" && battery !== null && battery < wellFrom.battery) return { battery };
    if (alarm === "rssi" && typeof rssi === "number" && rssi < wellFrom.rssi) return { rssi };
    if (alarm === "device" && typeof value?.heardAt === "string") return { since: value.heardAt };
    return {};
  };
  const isWell = (measured: unknown, from: number): boolean =>
    typeof measured === "number" && measured >= from;
  const look = (key: string, value: StateValue): void => {
    const { battery = fieldOf(value.reading, "battery"), rssi = fieldOf(value.reading, "rssi") } = value;
    const wellFrom = recoveryOf(value);
    if (isWell(battery, wellFrom.battery)) sink.clear(key, "battery");
    if (isWell(rssi, wellFrom.rssi)) sink.clear(key, "rssi");
    const silent = sink.active(key, "device");
    const heardAt = textOf(value.heardAt);
    if (silent && heardAt !== null && heardAt > silent.raisedAt) sink.clear(key, "device");
  };

  return {
    event(event) {
      if (event.kind === "notification") handleNotification(event);
    },
    changed(key, fields) {
      if (!key.startsWith("sensor:") && !key.startsWith("controller:")) return;
      const value = state.get(key);
      if (value && (!fields || "reading" in fields || "rssi" in fields || "heardAt" in fields))
        look(key, value);
    },
  };
}
