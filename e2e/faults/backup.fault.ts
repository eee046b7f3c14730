import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { ServerMessage } from "@mulkko/shared/live/server-messages";
import { CommandRecord } from "@mulkko/shared/rest/command";
import { adminBackup } from "@mulkko/shared/rest/operations/admin";
import { controllerCommand } from "@mulkko/shared/rest/operations/controllers";
import { read, type SignedIn, signIn } from "@mulkko/testing/stack/account";
import { openPlainWebSocket } from "@mulkko/testing/stack/plain-websocket";
import { type Stack, startStack } from "@mulkko/testing/stack/start-stack";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const run = promisify(execFile);
const RESTORE = resolve(import.meta.dirname, "../../api/src/backup/restore-command.ts");
const RUN_SECONDS = 600;

/** Run the restore command on a folder; return its output in either case. */
async function restore(dataDir: string, file: string, ...more: string[]): Promise<string> {
  const env = { PATH: process.env.PATH ?? "", DATA_DIR: dataDir };
  const args = [RESTORE, "--file", file, ...more];
  return run(process.execPath, args, { env }).then(
    ({ stdout }) => stdout,
    (error: Error & { stderr?: string }) => error.stderr ?? error.message,
  );
}

/** Read the activity log of an account over a new connection. */
async function eventsOf(stack: Stack, { token }: SignedIn): Promise<ServerMessage> {
  const webSocket = await openPlainWebSocket(stack.url, token);
  webSocket.send({ t: "subscribe", stream: "events" });
  const snapshot = await webSocket.waitFor((message) => message.t === "snapshot");
  webSocket.close();
  return snapshot;
}

describe("a backup of the whole product at work", () => {
  let root: string;
  let file: string;
  let first: Stack;
  let farmer: SignedIn;
  let commandId: string;
  let old: ServerMessage;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "mulkko-backup-"));
    file = join(root, "whole.backup.gz");
    first = await startStack();
    farmer = await signIn(first.url, "farmer");
  });
  afterAll(async () => {
    await first?.close();
    await rm(root, { recursive: true, force: true });
  });

  it("[backup] is taken while a valve is open", async () => {
    const [controller] = await farmer.controllers();
    const opened = await farmer.post(controllerCommand.path, {
      uuid: controller?.id,
      command: "onoff",
      channel: 2,
      payload: 1,
      maxRunSeconds: RUN_SECONDS,
    });
    ({ commandId } = await read(opened, CommandRecord));
    await expect
      .poll(async () => JSON.stringify(await eventsOf(first, farmer)), { timeout: 30_000 })
      .toContain('"kind":"watering"');
    old = await eventsOf(first, farmer);
    const admin = await signIn(first.apiUrl, "admin");
    const answer = await admin.get(adminBackup.path);
    expect(answer.status).toBe(200);
    await writeFile(file, new Uint8Array(await answer.arrayBuffer()));
  });

  it("[restore] refuses a running farm", async () => {
    expect(await restore(first.dataDir, file, "--replace")).toMatch(
      /is in use by process \d+.*Nothing was changed/,
    );
    await first.api.stop();
    expect(await restore(first.dataDir, file, "--replace")).toMatch(
      /^A relay runs on \S+: stop it first.*Nothing was changed/,
    );
  });

  it("[restore] brings accounts, readings, commands, waterings and events to another place", async () => {
    await first.relay.stop();
    const dataDir = join(root, "elsewhere");
    expect(await restore(dataDir, file)).toMatch(/^Restored the backup of .*The relay loads its data/);
    const second = await startStack({}, dataDir);
    try {
      const again = await signIn(second.url, "farmer");
      const events = await eventsOf(second, again);
      const text = JSON.stringify(events);
      expect(text).toContain(commandId);
      expect(text).toContain('"kind":"watering"');
      expect("epoch" in events && "epoch" in old && events.epoch !== old.epoch).toBe(true);
      expect(await again.sensors()).not.toEqual([]);
    } finally {
      await second.close();
    }
  });
});
