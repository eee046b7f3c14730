import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunningPostgres, startPostgres } from "@mulkko/testing/engines/postgres";
import { afterAll } from "vitest";
import { copyEmptyPglite } from "../../testing/pglite-template.ts";
import { openPglite } from "../database/pglite.ts";
import { openPostgres } from "../database/postgres.ts";
import { historySuite } from "./history.suite.ts";

const root = await mkdtemp(join(tmpdir(), "mulkko-history-"));
const server: RunningPostgres = await startPostgres();
afterAll(async () => {
  await server.stop();
  await rm(root, { recursive: true, force: true });
});

historySuite("pglite", async () => {
  await copyEmptyPglite(join(root, "history"));
  return openPglite(join(root, "history"), () => undefined);
});
historySuite("postgres", () => openPostgres(server.url));
