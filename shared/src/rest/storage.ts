import { type Static, Type } from "typebox";
import { Instant } from "../schema/instant.ts";
import { Nullable } from "../schema/nullable.ts";

/** Reason why readings are not stored. */
export const STORAGE_FAULTS = ["disk-full", "database", "broker"] as const;
export const StorageFault = Type.Enum([...STORAGE_FAULTS]);
export type StorageFault = Static<typeof StorageFault>;

/** The file system of the data folder. */
export const DiskState = Type.Object({
  freeBytes: Type.Number(),
  totalBytes: Type.Number(),
  /** Days until it is full at the present rate; null where it does not fill, or was not watched for long enough. */
  daysLeft: Nullable(Type.Number()),
});
export type DiskState = Static<typeof DiskState>;

/** Answer of `GET /api/v1/relay/storage` (extension `relay-storage`): whether readings of devices are stored now. */
export const StorageState = Type.Object({
  fault: Nullable(StorageFault),
  /** When that began; null while readings are stored. */
  since: Nullable(Instant),
  /** Null where the file system does not say. */
  disk: Nullable(DiskState),
});
export type StorageState = Static<typeof StorageState>;

/** Answer of `GET /relay/storage`, for administrators; null where the farm API does not say. */
export const RelayStorage = Type.Object({ storage: Nullable(StorageState) });
