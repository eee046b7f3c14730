import { deviceName } from "@mulkko/shared/rules/device-name";
import type { LiveFarm } from "../../live/hooks.ts";

/** A flow meter that may be linked. */
export interface Meter {
  readonly id: string;
  readonly name: string;
}

const METER_TYPE = "WATERFLOW";

/** The flow meters of the account. */
export const metersIn = ({ sensors }: LiveFarm): readonly Meter[] =>
  [...sensors]
    .filter(([, { info }]) => info.deviceType === METER_TYPE)
    .map(([id, { info }]) => ({ id, name: `${deviceName(info)} (${info.serial ?? "--"})` }));
