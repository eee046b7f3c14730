import { topic } from "@mulkko/shared/mqtt/topics";
import { connect } from "mqtt";

/**
 * A device in its own process. It publishes a number of readings with QoS 1, several at once, and repeats
 * unacknowledged ones. It writes a dot for each acknowledgement, and ends after the last.
 *
 * Arguments: URL of the broker, serial, key, count, time of the first reading (ms since 1970 UTC).
 */
const [url = "", serial = "", key = "", count = "", first = ""] = process.argv.slice(2);

const AT_ONCE = 25;
const STEP_MS = 60_000;
/** Pause between an acknowledgement and the next reading: the run must last long enough to be interrupted. */
const PAUSE_MS = 20;
const RECONNECT_MS = 100;

const client = connect(url, { username: serial, password: key, reconnectPeriod: RECONNECT_MS });
// An unavailable broker is expected here.
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
