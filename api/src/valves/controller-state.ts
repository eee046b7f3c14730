import type { ControllerState } from "@mulkko/shared/entities/controller-state";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { ModeReport } from "../decode/channel-state.ts";
import type { ChannelLink } from "../devices/device-links.ts";
import type { StoredChannel } from "./channel-store.ts";

const iso = (instant: number | null): string | null =>
  instant === null ? null : new Date(instant).toISOString();

/**
 * Return a channel's state in the API's format; a channel without a report is unknown (`onoff` 0).
 *
 * @param modes effective watering modes
 */
export function controllerStateOf(
  serial: number,
  stored: StoredChannel | undefined,
  { link, isBeforeLoss }: ChannelLink,
  zone: ApiTimeZone,
  modes: ModeReport = stored?.modes ?? {},
): ControllerState {
  return {
    serial,
    onoff: stored?.onoff ?? 0,
    automatic: modes.automatic ?? 0,
    automaticHighMoisture: numeric(modes.automaticHighMoisture),
    automaticLowMoisture: numeric(modes.automaticLowMoisture),
    automaticWatering: numeric(modes.automaticWatering),
    period: modes.period ?? 0,
    periodRepeat: modes.periodRepeat ?? 2,
    periodTime: numeric(modes.periodTime),
    ...(typeof modes.periodFrom === "string" && { periodFrom: modes.periodFrom }),
    periodWatering: numeric(modes.periodWatering),
    reservation: modes.reservation ?? 0,
    reservationRepeat: modes.reservationRepeat ?? 2,
    reservationTime: typeof modes.reservationTime === "string" ? modes.reservationTime : null,
    reservationWatering: numeric(modes.reservationWatering),
    createdDate: stored?.at == null ? null : zone.toApi(stored.at),
    rssi: stored?.rssi ?? null,
    fwversion: stored?.fwversion ?? null,
    incomplete: typeof modes.incomplete === "string" ? modes.incomplete : null,
    limit: modes.limit === "valve" || modes.limit === "none" ? modes.limit : null,
    runUntil: iso(stored?.runUntil ?? null),
    commandId: stored?.commandId ?? null,
    link,
    ...(stored && isBeforeLoss && { beforeLoss: true }),
    arrival: stored?.arrival ?? null,
    clockWrongSince: iso(stored?.clockWrongSince ?? null),
  };
}

function numeric(raw: unknown): number | null {
  const number = typeof raw === "string" && raw.trim() !== "" ? Number(raw) : raw;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}
