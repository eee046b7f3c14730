import { AlarmPriority } from "@mulkko/shared/live/alarm";
import { FleetCommandValue, FleetDeviceValue } from "@mulkko/shared/live/fleet";
import { StoredActivity } from "@mulkko/shared/rest/fleet";
import { Nullable } from "@mulkko/shared/schema/nullable";
import { type Static, Type } from "typebox";

/** Most devices in one batch, over all of its reports. */
export const DEVICES_A_BATCH = 200;
/** Most accounts in one batch. */
export const ACCOUNTS_A_BATCH = 100;
/** Most commands without a confirmation, or failed, that one account shows: the newest. */
export const COMMANDS_AN_ACCOUNT = 20;

/** A device as its account's owner knows it. */
export const DeviceReport = Type.Object({
  ...Type.Omit(FleetDeviceValue, ["account", "username", "since"]).properties,
  beats: Type.Optional(StoredActivity),
});
export type DeviceReport = Static<typeof DeviceReport>;

/** The report of an account's owner to the fleet's owner: complete at first, then the changes. */
export const AccountReport = Type.Object({
  account: Type.String(),
  /** True if earlier reports of the account no longer count. The rest may follow in later reports. */
  begins: Type.Boolean(),
  devices: Type.Array(DeviceReport, { maxItems: DEVICES_A_BATCH }),
  /** Keys of `fleet` that the account no longer has. */
  gone: Type.Array(Type.String(), { maxItems: 2_000 }),
  alarms: Type.Optional(Type.Object({ count: Type.Integer(), worst: Nullable(AlarmPriority) })),
  /** All failed and unconfirmed commands, the newest last. */
  commands: Type.Optional(
    Type.Array(Type.Omit(FleetCommandValue, ["account", "username"]), { maxItems: COMMANDS_AN_ACCOUNT }),
  ),
});
export type AccountReport = Static<typeof AccountReport>;

/** One batch of reports from a node's accounts. Applying it twice gives the same result. */
export const FleetBatch = Type.Object({
  node: Type.String(),
  /** The fleet's owner that the batch is meant for. Another owner starts from complete reports. */
  term: Type.String(),
  reports: Type.Array(AccountReport, { maxItems: ACCOUNTS_A_BATCH }),
  /** Accounts that this node no longer watches. */
  over: Type.Array(Type.String(), { maxItems: 10_000 }),
});
export type FleetBatch = Static<typeof FleetBatch>;

/** The fleet owner's answer: its term, and whether it has viewers. */
export const FleetVerdict = Type.Object({ term: Type.String(), wanted: Type.Boolean() });
export type FleetVerdict = Static<typeof FleetVerdict>;
