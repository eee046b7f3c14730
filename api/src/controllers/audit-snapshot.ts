import type { Controller } from "@mulkko/shared/entities/controller";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { ReadAuditSnapshot } from "../devices/audit-recorder.ts";
import { readController } from "../valves/controller-repository.ts";

/** Format channels with the serials of their sensors: `1 (810001, 810002), 2`. */
const channelsOf = ({ channels }: Controller): string =>
  (channels ?? [])
    .map(({ channelNumber, sensors }) => {
      const serials = (sensors ?? []).map(({ serial }) => serial);
      return serials.length === 0 ? `${channelNumber}` : `${channelNumber} (${serials.join(", ")})`;
    })
    .join(", ");

/** Return the audited values of a controller. */
export const readControllerSnapshot =
  (zone: ApiTimeZone): ReadAuditSnapshot =>
  async (tx, id) => {
    const controller = await readController(tx, zone, id, null);
    const { name, serial, type, description, clusterId } = controller;
    return {
      name: name || String(serial),
      values: {
        name: name ?? "",
        serial: Number(serial),
        deviceType: type ?? "",
        description: description ?? "",
        clusterId: Number(clusterId ?? 0),
        channels: channelsOf(controller),
      },
    };
  };
