import type { Param } from "./database.ts";

/** Request from the main thread to the thread of PGlite. */
export type WorkerRequest =
  | { readonly id: number; readonly kind: "query"; readonly sql: string; readonly params: readonly Param[] }
  | { readonly id: number; readonly kind: "exec"; readonly sql: string }
  | { readonly id: number; readonly kind: "close" };

/** Answer of the worker; `id` -1 reports that the database is open. */
export type WorkerAnswer =
  | { readonly id: number; readonly ok: true; readonly rows: object[] }
  | { readonly id: number; readonly ok: false; readonly message: string; readonly code: string };
