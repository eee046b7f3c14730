import { setTimeout as wait } from "node:timers/promises";
import { ImportProgress, ImportStarted } from "@mulkko/shared/rest/import";
import { importBegin, importProgress } from "@mulkko/shared/rest/operations/admin";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { read, signIn } from "../stack/account.ts";
import type { Stack } from "../stack/start-stack.ts";

/** Rows of one sensor, with the meaning of each column after the time. */
export interface ImportedHistory {
  readonly serial: number;
  readonly fields: readonly string[];
  /** ms UTC, oldest first. */
  readonly rows: Iterable<{ readonly at: number; readonly values: readonly number[] }>;
}

const POLL_MS = 500;

/** Import a history as an administrator does. @returns the number of stored readings */
export async function importHistory(stack: Stack, history: ImportedHistory): Promise<number> {
  const lines = [["time", ...history.fields].join(",")];
  for (const { at, values } of history.rows) {
    lines.push([new Date(at).toISOString().slice(0, 19).replace("T", " "), ...values].join(","));
  }
  const body = new FormData();
  body.set(
    "mapping",
    JSON.stringify({
      time: { columns: ["time"], format: "YYYY-MM-DD HH:mm:ss", zone: "UTC" },
      sensors: [
        {
          serial: history.serial,
          fields: Object.fromEntries(history.fields.map((name) => [name, { column: name }])),
        },
      ],
    }),
  );
  body.set("file", new Blob([`${lines.join("\n")}\n`], { type: "text/csv" }), "history.csv");
  const admin = await signIn(stack.apiUrl, "admin");
  const headers = { authorization: `Bearer ${admin.token}` };
  const started = await fetch(stack.apiUrl + importBegin.path, { method: "POST", headers, body });
  if (started.status !== 202) throw new Error(`import: ${started.status} ${await started.text()}`);
  const { id } = await read(started, ImportStarted);
  for (;;) {
    const progress = await read(await admin.get(pathTo(importProgress, { id })), ImportProgress);
    if (progress.state === "done") return progress.readingsStored;
    if (progress.state !== "running") throw new Error(`import ${progress.state}: ${progress.problem}`);
    await wait(POLL_MS);
  }
}
