import { topic } from "@mulkko/shared/mqtt/topics";
import { connect } from "mqtt";

/**
 * A device as a process of its own: publishes so many readings with QoS 1, some of them at once, and sends again
 * what was not acknowledged. Writes a dot for each acknowledgement, and ends after the last.
 *
 * Arguments: URL of the broker, serial, key, how many, time of the first (ms since 1970 UTC).
 */
const [url = "", serial = "", key = "", count = "", first = ""] = process.argv.slice(2);

const AT_ONCE = 25;
const STEP_MS = 60_000;
/** Between an acknowledgement and the next reading: all of them take long enough to be broken off in their middle. */
const PAUSE_MS = 20;
const RECONNECT_MS = 100;

const client = connect(url, { username: serial, password: key, reconnectPeriod: RECONNECT_MS });
// While the broker is away there is nobody to say it to.
client.on("error", () => undefined);
let sent = 0;
let acknowledged = 0;

function send(): void {
  if (sent === Number(count)) return;
  const at = new Date(Number(first) + sent * STEP_MS).toISOString();
  sent += 1;
  client.publish(topic.up(serial), JSON.stringify({ at, moisture: sent % 100 }), { qos: 1 }, (error) => {
    if (error) throw error;
    acknowledged += 1;
    process.stdout.write(".");
    if (acknowledged === Number(count)) client.end();
    else setTimeout(send, PAUSE_MS);
  });
}
for (let n = 0; n < AT_ONCE; n += 1) send();
