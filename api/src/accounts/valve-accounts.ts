import { VALVE_ACCOUNTS_A_PAGE, type ValveAccounts } from "@mulkko/shared/rest/valve-accounts";
import type { Queryable } from "../database/database.ts";

interface Row {
  id: string;
  devices: number;
  disabled: boolean;
}

/**
 * Return a page of the accounts with valves: those with a controller or a COT sensor (WATCH-1).
 *
 * @param after the last account of the page before; null for the first page
 */
export async function readValveAccounts(database: Queryable, after: string | null): Promise<ValveAccounts> {
  const rows = await database.query<Row>(
    `select account.id, account.disabled, count(*)::int as devices
     from account
       join device on device.account_id = account.id
       left join sensor on sensor.id = device.id
     where account.deleted_at is null and ($1::uuid is null or account.id > $1::uuid)
       and (device.kind = 'controller' or sensor.device_type = 'COT')
     group by account.id order by account.id limit $2`,
    [after, VALVE_ACCOUNTS_A_PAGE + 1],
  );
  const page = rows.slice(0, VALVE_ACCOUNTS_A_PAGE);
  return {
    accounts: page.map(({ id, devices, disabled }) => ({ userId: id, devices, disabled })),
    next: rows.length > page.length ? (page.at(-1)?.id ?? null) : null,
  };
}
