import { readdir, readFile } from "node:fs/promises";

/** File handles of this process: each file and each connection has one. */
export interface FileHandles {
  readonly open: number;
  readonly limit: number;
}

/** Handles that connections leave for files, the database and other servers. */
export const RESERVED_HANDLES = 128;

/** Return the handles of this process; null where the system does not list them. */
export async function fileHandles(): Promise<FileHandles | null> {
  try {
    const [limits, open] = await Promise.all([
      readFile("/proc/self/limits", "utf8"),
      readdir("/proc/self/fd"),
    ]);
    const limit = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
    return { open: open.length, limit };
  } catch {
    return null;
  }
}

/**
 * Return true where a process has handles for what it does besides its connections (SHARE-7).
 *
 * @param reserve handles that have to be left: fewer than all reserved ones where the process opens files as it works
 */
export const hasHandles = (handles: FileHandles | null, reserve = RESERVED_HANDLES): boolean =>
  handles === null || handles.open < handles.limit - reserve;

/**
 * Return the connections that a server may hold, at least one. With as many, {@link hasHandles} is false.
 *
 * @param handles as the server starts
 */
export const connectionsWithin = (handles: FileHandles | null, most: number): number =>
  handles === null ? most : Math.max(1, Math.min(most, handles.limit - handles.open - RESERVED_HANDLES));
