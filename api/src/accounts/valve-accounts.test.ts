import { relayAccounts } from "@mulkko/shared/rest/operations/relay-calls";
import { VALVE_ACCOUNTS_A_PAGE, ValveAccounts } from "@mulkko/shared/rest/valve-accounts";
import { parse } from "@mulkko/shared/schema/parse";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ADMIN, FARMER, NEIGHBOR, RELAY_KEY, startTestFarm, type TestFarm } from "../../testing/test-farm.ts";

let farm: TestFarm;
beforeAll(async () => {
  farm = await startTestFarm();
});
afterAll(() => farm.close());

async function list(after?: string): Promise<ValveAccounts> {
  const url = after === undefined ? relayAccounts.path : `${relayAccounts.path}?after=${after}`;
  const answer = await farm.app.inject({ url, headers: { relaykey: RELAY_KEY } });
  const parsed = parse(ValveAccounts, answer.json());
  if (!parsed.ok) throw new Error(`${answer.statusCode} ${answer.body}`);
  return parsed.value;
}

test("[WATCH-1] the relay gets the accounts with controllers or COT sensors, disabled ones marked", async () => {
  expect(await list()).toEqual({
    accounts: [
      { userId: FARMER, devices: 2, disabled: false },
      { userId: NEIGHBOR, devices: 1, disabled: false },
    ],
    next: null,
  });
  await farm.app.database.query("update account set disabled = true where id = $1", [NEIGHBOR]);
  expect((await list(FARMER)).accounts).toEqual([{ userId: NEIGHBOR, devices: 1, disabled: true }]);
  await farm.app.database.query("update account set deleted_at = now() where id = $1", [NEIGHBOR]);
  expect((await list()).accounts.map(({ userId }) => userId)).toEqual([FARMER]);
});

test("[WATCH-1] pages continue behind the last account, and miss none", async () => {
  const { database } = farm.app;
  await database.query(
    `insert into account (id, username, password_hash, user_type, created_at)
     select ('30000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'many-' || n, '', 'USER', now()
     from generate_series(1, $1) as n`,
    [VALVE_ACCOUNTS_A_PAGE],
  );
  await database.query(
    `insert into device (id, serial, kind, account_id, key_hash, created_at)
     select ('40000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 500000 + n, 'controller',
       ('30000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, '', now()
     from generate_series(1, $1) as n`,
    [VALVE_ACCOUNTS_A_PAGE],
  );
  const first = await list();
  const second = await list(first.next ?? "");
  expect([first.accounts.length, second.accounts.length, second.next]).toEqual([
    VALVE_ACCOUNTS_A_PAGE,
    1,
    null,
  ]);
  expect(new Set([...first.accounts, ...second.accounts].map(({ userId }) => userId)).size).toBe(
    VALVE_ACCOUNTS_A_PAGE + 1,
  );
  expect(first.accounts.map(({ userId }) => userId)).not.toContain(ADMIN);
});

test("[WATCH-1] the list needs the relay's key", async () => {
  expect((await farm.app.inject(relayAccounts.path)).statusCode).toBe(401);
});
