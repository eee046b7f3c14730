import type { Database, Queryable } from "../database/database.ts";
import type { KnownDevice } from "../devices/device-index.ts";
import { ApiError } from "../http/api-error.ts";
import type { SettingChange } from "./command-rules.ts";
import {
  type ChannelSettings,
  lockChannel,
  type Mode,
  readSettings,
  resetMode,
  saveAutomatic,
  savePeriod,
  saveReservation,
  setMode,
} from "./modes/repository.ts";
import { automaticFaults, periodFaults, reservationFaults } from "./modes/rules.ts";

function refusePayload(faults: Readonly<Record<string, string | null>>): void {
  const [fault] = Object.values(faults).filter((message) => message !== null);
  if (fault) throw new ApiError(422, "validation", fault, { field: "payload" });
}

async function write(
  tx: Queryable,
  channelId: number,
  stored: ChannelSettings | undefined,
  { mode, change }: SettingChange,
): Promise<void> {
  switch (mode) {
    case "automatic": {
      const none = { lowerBound: null, upperBound: null, wateringDuration: null };
      const setting = { ...(stored?.automatic ?? none), ...change };
      refusePayload(automaticFaults(setting));
      return saveAutomatic(tx, channelId, setting);
    }
    case "reservation": {
      const none = { wateringDuration: null, onTime: null, repeat: false };
      const setting = { ...(stored?.reservation ?? none), ...change };
      refusePayload(reservationFaults(setting));
      return saveReservation(tx, channelId, setting);
    }
    case "period": {
      const none = { wateringDuration: null, wateringInterval: null, repeat: false };
      const setting = { ...(stored?.period ?? none), ...change };
      refusePayload(periodFaults(setting));
      return savePeriod(tx, channelId, setting);
    }
  }
}

/**
 * Set one value of a mode and activate that mode, like saving the whole mode.
 *
 * @throws ApiError 422 where the setting would break a rule
 */
export function changeSetting(
  database: Database,
  device: KnownDevice,
  number: number,
  setting: SettingChange,
): Promise<void> {
  return database.transaction(async (tx) => {
    const channelId = await lockChannel(tx, device.id, number);
    const stored = (await readSettings(tx, device.id)).find((one) => one.number === number);
    await write(tx, channelId, stored, setting);
    await setMode(tx, channelId, setting.mode);
  });
}

/** Delete a mode's setting and clear its flag. */
export function resetSetting(
  database: Database,
  device: KnownDevice,
  number: number,
  mode: Mode,
): Promise<void> {
  return database.transaction(async (tx) => {
    await resetMode(tx, await lockChannel(tx, device.id, number), mode);
  });
}
