import { topic } from "@mulkko/shared/mqtt/topics";
import { buildAccount, buildLogEntry, buildSensor } from "@mulkko/shared/testing/builders";
import { buildFakeAccount, type FakeApiAccount } from "../testing/fake-farm-api.ts";

const SEOUL_MS = 9 * 3_600_000;
const A_MINUTE_MS = 60_000;

const twelve = (value: number): string => String(value).padStart(12, "0");
export const accountId = (account: number): string => `00000000-0000-4000-8000-${twelve(account + 1)}`;
const sensorId = (account: number, sensor: number): string =>
  `10000000-0000-4000-8000-${twelve(account * 1_000 + sensor)}`;

/** Return a time as the API writes it, in its own zone. */
export const apiTime = (at: number): string => new Date(at + SEOUL_MS).toISOString().slice(0, 19).replace("T", " ");

/**
 * Create accounts with soil sensors only; `token-3` belongs to account 3.
 * @param silentMs age of all sensors' last readings
 */
export function benchAccounts(
  accounts: number,
  sensors: number,
  silentMs: number = A_MINUTE_MS,
): FakeApiAccount[] {
  const createdDate = apiTime(Date.now() - silentMs);
  return Array.from({ length: accounts }, (_, account) =>
    buildFakeAccount({
      account: buildAccount({ id: accountId(account) }),
      token: `token-${account}`,
      sensors: Array.from({ length: sensors }, (__, sensor) =>
        buildSensor({
          id: sensorId(account, sensor),
          name: `토양 ${sensor + 1}`,
          serial: 100_000 + account * 1_000 + sensor,
          userId: accountId(account),
          latestLog: buildLogEntry({ sensorId: sensorId(account, sensor), createdDate }),
        }),
      ),
    }),
  );
}

/** The API broker's publication of one reading. */
export interface OutPublication {
  readonly topic: string;
  readonly payload: string;
  /** The reading's time, by which it is found again. */
  readonly at: string;
  /** The key that it changes. */
  readonly sensorId: string;
}

let readings = 0;

/** Return the next reading of a sensor, with changing numbers. */
export function nextReading(account: number, sensor: number): OutPublication {
  readings += 1;
  const now = Date.now();
  const at = new Date(now).toISOString();
  const id = sensorId(account, sensor);
  const entry = buildLogEntry({
    sensorId: id,
    createdDate: apiTime(now),
    moisture: 30 + (readings % 100) / 10,
    rssi: -60 - (readings % 30),
  });
  return {
    topic: topic.outSensor(accountId(account), id),
    payload: JSON.stringify({ ...entry, at, receivedAt: at }),
    at,
    sensorId: id,
  };
}
