import { type Static, Type } from "typebox";
import { StorageFault } from "../rules/storage-fault.ts";
import { Instant } from "../schema/instant.ts";
import { Nullable } from "../schema/nullable.ts";
/** The file system of the data folder. */
export const DiskState = Type.Object({
  freeBytes: Type.Number(),
  totalBytes: Type.Number(),
  /**
   * Days until the disk is full at the present rate; null if it does not fill, or the rate is not known yet.
   */
  daysLeft: Nullable(Type.Number()),
});
export type DiskState = Static<typeof DiskState>;

/**
 * Answer of `GET /api/v1/relay/storage` (extension `relay-storage`): true while readings of devices are
 * stored.
 */
export const StorageState = Type.Object({
  fault: Nullable(StorageFault),
  /** Start of the fault; null while readings are stored. */
  since: Nullable(Instant),
  /** Null if the file system does not report it. */
  disk: Nullable(DiskState),
});
export type StorageState = Static<typeof StorageState>;

/** Answer of `GET /relay/storage`, for administrators; null if the farm API does not report it. */
export const RelayStorage = Type.Object({ storage: Nullable(StorageState) });
