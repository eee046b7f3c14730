import { type Static, Type } from "typebox";

/** Reason why readings are not stored. */
export const STORAGE_FAULTS = ["disk-full", "database", "broker"] as const;

export const StorageFault = Type.Enum([...STORAGE_FAULTS]);

export type StorageFault = Static<typeof StorageFault>;
