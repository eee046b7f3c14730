import { ImportProgress, ImportStarted } from "@mulkko/shared/rest/import";
import { importBegin, importProgress } from "@mulkko/shared/rest/operations/admin";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { parse } from "@mulkko/shared/schema/parse";
import { SOIL, type TestFarm } from "../test-farm.ts";

const BOUNDARY = "import-boundary";

/** Build a multipart body; `null` omits a part. */
export function importForm(
  file: string | Buffer | null,
  mapping: object | string | null,
): { payload: Buffer; headers: Record<string, string> } {
  const parts: Buffer[] = [];
  const head = (text: string): Buffer =>
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${text}\r\n\r\n`);
  if (file !== null) {
    parts.push(head('name="file"; filename="readings.csv"'), Buffer.from(file), Buffer.from("\r\n"));
  }
  if (mapping !== null) {
    const text = typeof mapping === "string" ? mapping : JSON.stringify(mapping);
    parts.push(head('name="mapping"'), Buffer.from(text), Buffer.from("\r\n"));
  }
  return {
    payload: Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]),
    headers: { "content-type": `multipart/form-data; boundary=${BOUNDARY}` },
  };
}

/** Send an import with an authorization header. */
export function sendImport(
  farm: TestFarm,
  authorization: string,
  file: string | Buffer | null,
  mapping: object | string | null,
) {
  const { payload, headers } = importForm(file, mapping);
  return farm.app.inject({
    method: "POST",
    url: importBegin.path,
    headers: { ...headers, ...(authorization ? { authorization } : {}) },
    payload,
  });
}

/** Import one reading and return the id. */
export async function beginImport(farm: TestFarm, authorization: string): Promise<string> {
  const mapping = {
    time: { columns: ["at"], format: "unix-s" },
    sensors: [{ serial: SOIL.serial, fields: { moisture: { column: "moisture" } } }],
  };
  const answer = await sendImport(farm, authorization, "at,moisture\n1600000000,30\n", mapping);
  const started = parse(ImportStarted, answer.json());
  if (!started.ok) throw new Error(`no import was begun: ${answer.statusCode} ${answer.body}`);
  const { id } = started.value;
  // Only one import may run.
  for (;;) {
    const asked = await farm.app.inject({ url: pathTo(importProgress, { id }), headers: { authorization } });
    const progress = parse(ImportProgress, asked.json());
    if (!progress.ok || progress.value.state !== "running") return id;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
