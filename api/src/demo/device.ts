import type { ControllerType } from "@mulkko/shared/catalogue/controller-types";
import type { RecipeName } from "./recipes.ts";
import type { Soak } from "./wetness.ts";

/** Source of a demo device's readings. */
type DeviceSource =
  /** Columns of the greenhouse recording, shifted by `shiftDays` in its loop. */
  | { readonly kind: "replay"; readonly recipe: RecipeName; readonly shiftDays: number }
  /** The recorded water uses. */
  | { readonly kind: "flow" }
  /** Synthetic, and named as such. */
  | { readonly kind: "synthetic" }
  /** No readings: the device reports the state of its valves. */
  | { readonly kind: "valves" };

export interface DemoAccount {
  /** Fixed, so that links into the demo stay valid. */
  readonly id: string;
  readonly username: string;
  readonly nickname: string;
  readonly userType: "ADMIN" | "USER";
  readonly userAddress: string;
  readonly farmAddress: string;
  readonly phone: string;
  readonly timezone: string;
  readonly language: "KO" | "EN" | "ZH";
}

export interface DemoFarm {
  /** Name of the farm within the demo; the database numbers it. */
  readonly key: string;
  /** Username. */
  readonly owner: string;
  readonly name: string;
  readonly description: string;
}

export interface DemoDevice {
  readonly id: string;
  readonly serial: number;
  /** Username. */
  readonly owner: string;
  /** Key of a farm. */
  readonly farm: string;
  readonly deviceType: string;
  readonly name: string;
  readonly description: string;
  readonly crops: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly widget: boolean;
  /** Channels of a COT sensor; 0 for every other type. */
  readonly chNums: number;
  readonly fwversion: string;
  readonly source: DeviceSource;
}

/** The watering mode initially active on a demo channel. Times are minutes, bounds percent. */
export type DemoMode =
  | {
      readonly mode: "automatic";
      readonly lowerBound: number | null;
      readonly upperBound: number | null;
      readonly wateringDuration: number;
    }
  | {
      readonly mode: "reservation";
      readonly onTime: string;
      readonly wateringDuration: number;
      readonly repeat: boolean;
    }
  | {
      readonly mode: "period";
      readonly wateringInterval: number;
      readonly wateringDuration: number;
      readonly repeat: boolean;
    };

export interface DemoChannel {
  /** 1 to 8. */
  readonly channelNumber: number;
  readonly sensorSerials: readonly number[];
  readonly watering?: DemoMode;
  /** Effect of its water on its sensors, if it differs from the controller's. */
  readonly soak?: Soak;
}

export interface DemoController {
  readonly id: string;
  readonly serial: number;
  /** Username. */
  readonly owner: string;
  /** Key of the farm of its sensors. */
  readonly farm: string;
  readonly name: string;
  readonly description: string;
  readonly type: ControllerType;
  readonly fwversion: string;
  readonly channels: readonly DemoChannel[];
}
