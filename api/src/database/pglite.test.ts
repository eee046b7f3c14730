import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { copyEmptyPglite } from "../../testing/pglite-template.ts";
import { databaseSuite } from "./database.suite.ts";
import { openPglite } from "./pglite.ts";

const root = await mkdtemp(join(tmpdir(), "mulkko-pglite-"));
afterAll(() => rm(root, { recursive: true, force: true }));

databaseSuite("pglite", async () => {
  await copyEmptyPglite(join(root, "suite"));
  return openPglite(join(root, "suite"), () => undefined);
});

test("[database] pglite: keeps committed rows over a restart, and a slow statement does not block this thread", async () => {
  const lost = vi.fn();
  await copyEmptyPglite(join(root, "again"));
  const first = await openPglite(join(root, "again"), lost);
  await first.exec("create table kept (n int); insert into kept values (7)");
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
  }, 5);
  await first.query("select count(*) from generate_series(1, 3000000)");
  clearInterval(timer);
  expect(ticks).toBeGreaterThan(3);
  await first.close();
  await expect(first.query("select 1")).rejects.toMatchObject({ temporary: true });
  const second = await openPglite(join(root, "again"), lost);
  expect(await second.query("select n from kept")).toEqual([{ n: 7 }]);
  await second.close();
  expect(lost).not.toHaveBeenCalled();
});
