/**
 * Measure one page of the administrators' list of sensors over HTTP on PGlite. The list has 10,000 sensors
 * and is filtered by a text. The baseline is the smallest call that needs the same token.
 */

import { accountInfo } from "@mulkko/shared/rest/operations/account";
import { adminDevices, adminSensors } from "@mulkko/shared/rest/operations/admin";
import { machine, median } from "@mulkko/testing/bench/figures";
import { startBenchFarm } from "./farm.ts";
import { BENCH } from "./options.ts";
import { spread, timesOf } from "./times.ts";

const SENSORS = 10_000;
const ROUNDS = BENCH.rounds * 4;
const CALLS = [
  ["first page of 20", `${adminSensors.path}?page=1&size=20`],
  ["filtered, sorted", `${adminSensors.path}?page=1&size=20&q=sensor%2099&sort=name,desc`],
  ["nothing found", `${adminSensors.path}?page=1&size=20&q=no-such-thing`],
  ["last page", `${adminSensors.path}?page=${SENSORS / 20}&size=20`],
  ["all of them, bare", adminSensors.path],
  ["fleet, filtered", `${adminDevices.path}?page=1&size=20&q=sensor%2099`],
] as const;

console.log(machine());
const farm = await startBenchFarm(SENSORS, "SMS");
try {
  await farm.app.database.query("update account set user_type = 'ADMIN'");
  await farm.app.database.query("analyze");
  const baseline = await timesOf(ROUNDS, () => farm.get(accountInfo.path));
  console.log(`${"account/info".padEnd(18)} ${spread(baseline)}`);
  for (const [label, path] of CALLS) {
    const times = await timesOf(ROUNDS, () => farm.get(path));
    const { text } = await farm.get(path);
    const ratio = (median(times) / median(baseline)).toFixed(1);
    console.log(`${label.padEnd(18)} ${spread(times)}  ${ratio} × account/info  (${text.length} bytes)`);
  }
  console.log(machine());
} finally {
  await farm.close();
}
