import { Instant } from "@mulkko/shared/schema/instant";
import { parseJson } from "@mulkko/shared/schema/parse";
import Type from "typebox";
import type { ReceivedMessage } from "../account/mqtt.ts";
import type { SeriesReader } from "./series-reader.ts";

const Measured = Type.Object({ at: Instant });
const text = new TextDecoder();

/**
 * Invalidate cached rows that lack a reading from the API's broker. Every node receives it, whichever owns
 * the account, so all nodes show the same history. Only locally cached data is checked.
 */
export function forgetReceived(
  series: Pick<SeriesReader, "mayCache" | "invalidate">,
  message: ReceivedMessage,
): void {
  const { topic, payload } = message;
  if (topic.kind !== "sensor" || !series.mayCache(topic.userId, topic.id)) return;
  const reading = parseJson(Measured, text.decode(payload));
  if (reading.ok) series.invalidate(topic.userId, topic.id, Date.parse(reading.value.at));
}
