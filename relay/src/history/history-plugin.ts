import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { type History, HistoryQuery, type HistorySeries } from "@mulkko/shared/rest/history";
import { LogBuckets } from "@mulkko/shared/rest/log";
import { relayPath } from "@mulkko/shared/rest/routes";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import fp from "fastify-plugin";
import type { Static, TSchema } from "typebox";
import { bearerOf } from "../core/bearer.ts";
import { RelayError } from "../plugins/relay-error.ts";
import type { CapabilitySource, TokenProver, UpstreamReader } from "../ports.ts";
import { UpstreamStatusError } from "../upstream/errors.ts";
import { HISTORY_LIMITS } from "./limits.ts";
import { logBucketsPath, seriesOfBuckets } from "./log-buckets.ts";
import { type HistoryQuestion, questionOf } from "./question.ts";
import { RawRange, seriesOfRows, slicesOf } from "./raw-rows.ts";
import { createTurnstile, TurnstileFullError } from "./turnstile.ts";

export interface HistoryOptions {
  readonly reader: UpstreamReader;
  readonly capabilities: CapabilitySource;
  readonly prover: TokenProver;
  readonly zone: ApiTimeZone;
}

/** Reads one path of the API with the caller's token. */
type Read = <S extends TSchema>(path: string, schema: S) => Promise<Static<S>>;

/**
 * `GET /relay/history`: the past of several sensors in regular buckets, the only source of charts. The API makes
 * the buckets where it can (`log-buckets`), else they are made here of its rows. The caller's own token asks, so
 * that nobody sees what the API would not show.
 */
export const historyPlugin = fp<HistoryOptions>(
  async (plain, { reader, capabilities, prover, zone }) => {
    const app = plain.withTypeProvider<TypeBoxTypeProvider>();
    const turnstile = createTurnstile(HISTORY_LIMITS.inFlight, HISTORY_LIMITS.waiting);

    async function series(
      id: string,
      question: HistoryQuestion,
      read: Read,
    ): Promise<[HistorySeries, boolean]> {
      if (capabilities.has("log-buckets")) {
        const answer = await read(logBucketsPath(id, question, zone), LogBuckets);
        const made = seriesOfBuckets(id, answer, question, zone);
        if (made) return [made, true];
      }
      return [await seriesOfRows(id, question, zone, (path) => read(path, RawRange)), false];
    }

    app.get(
      relayPath.history,
      { schema: { querystring: HistoryQuery } },
      async (request, reply): Promise<History> => {
        const token = bearerOf(request.headers.authorization);
        if (token === undefined) throw new RelayError(401, "unauthorized", "a bearer token is needed");
        const question = questionOf(request.query);
        refuseTooMuchWork(question, capabilities.has("log-buckets"));

        const abort = new AbortController();
        reply.raw.once("close", () => abort.abort());
        const { signal } = abort;
        const { answerBytes: limitBytes } = HISTORY_LIMITS;
        const read: Read = (path, schema) =>
          turnstile.pass(() => {
            signal.throwIfAborted();
            return reader.get(path, schema, { token, limitBytes, signal });
          });
        try {
          const made = await Promise.all(question.ids.map((id) => series(id, question, read)));
          reply.header("cache-control", "no-store");
          return {
            from: request.query.from,
            to: request.query.to,
            source: made.every(([, byApi]) => byApi) ? "log-buckets" : "computed",
            series: made.map(([one]) => one),
          };
        } catch (error) {
          // The other sensors of a call that fails are not worth asking for.
          abort.abort();
          if (error instanceof UpstreamStatusError && error.status === 401) prover.reject(token);
          if (error instanceof TurnstileFullError) {
            throw new RelayError(429, "too-many-requests", "too much history is being read");
          }
          throw error;
        }
      },
    );
  },
  { name: "history", fastify: "5.x", dependencies: ["errors"] },
);

/** @throws RelayError 422 for a range of raw rows that would take too many requests */
function refuseTooMuchWork({ ids, grid }: HistoryQuestion, byApi: boolean): void {
  if (byApi || ids.length * slicesOf(grid).length <= HISTORY_LIMITS.slices) return;
  const defaultMessage = "covers too much for an API without buckets";
  throw new RelayError(422, "validation", `the range ${defaultMessage}`, [{ field: "to", defaultMessage }]);
}
