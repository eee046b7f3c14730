import { AlarmPriority } from "@mulkko/shared/live/alarm";
import { FleetCommandValue, FleetDeviceValue } from "@mulkko/shared/live/fleet";
import { KeptBeats } from "@mulkko/shared/rest/fleet";
import { Nullable } from "@mulkko/shared/schema/nullable";
import { type Static, Type } from "typebox";

/** Most devices of one batch, over all of its reports. */
export const DEVICES_A_BATCH = 200;
/** Most accounts of one batch. */
export const ACCOUNTS_A_BATCH = 100;
/** Commands without a confirmation, or failed, that one account shows at most; the newest. */
export const COMMANDS_AN_ACCOUNT = 20;

/** A device as its account's owner knows it. */
export const DeviceReport = Type.Object({
  ...Type.Omit(FleetDeviceValue, ["account", "username", "since"]).properties,
  beats: Type.Optional(KeptBeats),
});
export type DeviceReport = Static<typeof DeviceReport>;

/** What an account's owner hands to the fleet's: whole at first, then what has changed. */
export const AccountReport = Type.Object({
  account: Type.String(),
  /** What was said of the account before counts no more; the rest may come with later reports. */
  begins: Type.Boolean(),
  devices: Type.Array(DeviceReport, { maxItems: DEVICES_A_BATCH }),
  /** Keys of `fleet` that the account has no more. */
  gone: Type.Array(Type.String(), { maxItems: 2_000 }),
  alarms: Type.Optional(Type.Object({ count: Type.Integer(), worst: Nullable(AlarmPriority) })),
  /** All that failed or nobody has confirmed, the newest last. */
  commands: Type.Optional(
    Type.Array(Type.Omit(FleetCommandValue, ["account", "username"]), { maxItems: COMMANDS_AN_ACCOUNT }),
  ),
});
export type AccountReport = Static<typeof AccountReport>;

/** What one node's accounts say at once. Said twice it says the same. */
export const FleetBatch = Type.Object({
  node: Type.String(),
  /** The fleet's owner that it is meant for; another one begins anew. */
  term: Type.String(),
  reports: Type.Array(AccountReport, { maxItems: ACCOUNTS_A_BATCH }),
  /** Accounts that this node watches no more. */
  over: Type.Array(Type.String(), { maxItems: 10_000 }),
});
export type FleetBatch = Static<typeof FleetBatch>;

/** Whether anybody looks at the fleet, and who gathers it. */
export const FleetVerdict = Type.Object({ term: Type.String(), wanted: Type.Boolean() });
export type FleetVerdict = Static<typeof FleetVerdict>;
