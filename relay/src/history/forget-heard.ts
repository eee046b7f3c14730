import { Instant } from "@mulkko/shared/schema/instant";
import { parseJson } from "@mulkko/shared/schema/parse";
import Type from "typebox";
import type { HeardMessage } from "../owner/owner.ts";
import type { SeriesReader } from "./series-reader.ts";

const Measured = Type.Object({ at: Instant });
const text = new TextDecoder();

/**
 * Forgets the kept rows that lack what the API's broker tells of a sensor. Every node hears it, whoever owns the
 * account, so that none shows a past without a reading that another node has. Only what is kept here is read.
 */
export function forgetHeard(series: Pick<SeriesReader, "keeps" | "heard">, message: HeardMessage): void {
  const { topic, payload } = message;
  if (topic.kind !== "sensor" || !series.keeps(topic.userId, topic.id)) return;
  const reading = parseJson(Measured, text.decode(payload));
  if (reading.ok) series.heard(topic.userId, topic.id, Date.parse(reading.value.at));
}
