import { randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DemoAccounts } from "@mulkko/shared/rest/setup";
import type { Clock } from "@mulkko/shared/rules/clock";
import { hashPassword, isPassword } from "../accounts/passwords.ts";
import { setPassword } from "../accounts/repository.ts";
import { revokeAllSessions } from "../accounts/sessions.ts";
import type { Database } from "../database/database.ts";
import { DEMO_ACCOUNTS, DEMO_CONTROLLERS, DEMO_DEVICES, DEMO_PASSWORD } from "./farm.ts";

const FILE = "demo-password";
/** Without easily confused letters. */
const ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz";
const GROUPS = 3;
const GROUP_LENGTH = 4;

const newPassword = (): string =>
  Array.from({ length: GROUPS }, () =>
    Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(""),
  ).join("-");

/**
 * Return the password of the demo's accounts: the published one where only this machine reaches the demo, otherwise one
 * of this installation, made at its first start in reach of others, and kept from then on.
 */
async function demoPassword(folder: string, isInReach: boolean): Promise<string> {
  const file = join(folder, FILE);
  if (existsSync(file)) return (await readFile(file, "utf8")).trim();
  if (!isInReach) return DEMO_PASSWORD;
  const password = newPassword();
  await writeFile(file, `${password}\n`, { mode: 0o600, flag: "wx" });
  return password;
}

const SERIALS = [...DEMO_DEVICES, ...DEMO_CONTROLLERS].map(({ serial }) => serial);

async function demoHashes(database: Database): Promise<{ id: string; username: string; hash: string }[]> {
  const rows = await database.query<{ id: string; hash: string }>(
    "select id, password_hash as hash from account where id = any($1::uuid[]) and deleted_at is null and not disabled",
    [DEMO_ACCOUNTS.map(({ id }) => id)],
  );
  return DEMO_ACCOUNTS.flatMap(({ id, username }) =>
    rows.filter((row) => row.id === id).map(({ hash }) => ({ id, username, hash })),
  );
}

/** Return the names of the demo's accounts that have its published password. */
export async function publishedAccounts(database: Database): Promise<string[]> {
  const names: string[] = [];
  for (const { username, hash } of await demoHashes(database)) {
    if (await isPassword(hash, DEMO_PASSWORD)) names.push(username);
  }
  return names;
}

/** The accounts of a running demo and the password that they share. */
export class DemoLogin {
  readonly password: string;
  readonly #database: Database;
  /** Hashes of passwords that were compared, which takes long, and the results. */
  readonly #compared = new Map<string, boolean>();

  private constructor(database: Database, password: string) {
    this.#database = database;
    this.password = password;
  }

  /** @param isInReach true if others than this machine reach the demo */
  static async open(database: Database, folder: string, isInReach: boolean): Promise<DemoLogin> {
    return new DemoLogin(database, await demoPassword(folder, isInReach));
  }

  get isPublished(): boolean {
    return this.password === DEMO_PASSWORD;
  }

  /** Replace the published password where an account still has it, if that is not the demo's any more. */
  async replacePublished(clock: Pick<Clock, "now">): Promise<void> {
    if (this.isPublished) return;
    for (const { id, hash } of await demoHashes(this.#database)) {
      if (!(await isPassword(hash, DEMO_PASSWORD))) continue;
      const passwordHash = await hashPassword(this.password);
      await this.#database.transaction(async (tx) => {
        await setPassword(tx, id, passwordHash, clock.now());
        await revokeAllSessions(tx, id, null, clock.now());
      });
    }
  }

  /** Return what the login page says: the accounts that have the shared password, and if others' devices are here. */
  async state(): Promise<DemoAccounts | null> {
    const usernames: string[] = [];
    for (const { username, hash } of await demoHashes(this.#database))
      if (await this.#isShared(hash)) usernames.push(username);
    if (usernames.length === 0) return null;
    const [own] = await this.#database.query<{ found: boolean }>(
      `select exists (
         select 1 from device join account on account.id = account_id
         where deleted_at is null and serial <> all($1::bigint[])
       ) as found`,
      [SERIALS],
    );
    return {
      usernames,
      ownDevices: own?.found ?? false,
      ...(this.isPublished && { password: this.password }),
    };
  }

  async #isShared(hash: string): Promise<boolean> {
    const known = this.#compared.get(hash);
    if (known !== undefined) return known;
    const isShared = await isPassword(hash, this.password);
    if (this.#compared.size >= 100) this.#compared.clear();
    this.#compared.set(hash, isShared);
    return isShared;
  }
}
