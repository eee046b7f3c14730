import type { Param } from "./database.ts";

/** What the main thread asks of the thread that holds PGlite. */
export type WorkerRequest =
  | { readonly id: number; readonly kind: "query"; readonly sql: string; readonly params: readonly Param[] }
  | { readonly id: number; readonly kind: "exec"; readonly sql: string }
  | { readonly id: number; readonly kind: "close" };

/** What it answers; `id` -1 says that it is open. */
export type WorkerAnswer =
  | { readonly id: number; readonly ok: true; readonly rows: object[] }
  | { readonly id: number; readonly ok: false; readonly message: string; readonly code: string };
