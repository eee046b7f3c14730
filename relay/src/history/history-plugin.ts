import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { controllerKey, sensorKey } from "@mulkko/shared/live/keys";
import { type History, HistoryQuery } from "@mulkko/shared/rest/history";
import { relayPath } from "@mulkko/shared/rest/routes";
import type { Clock } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import { readerOf, stateOf } from "../commands/reader.ts";
import { sendConditional } from "../plugins/conditional-answer.ts";
import { RelayError } from "../plugins/relay-error.ts";
import type { DisplayDoor, DisplayGrant } from "../ports/displays.ts";
import type { TokenProver } from "../ports/tokens.ts";
import type { CapabilitySource } from "../ports/upstream.ts";
import { UpstreamStatusError } from "../upstream/errors.ts";
import { HISTORY_LIMITS } from "./limits.ts";
import { type HistoryQuestion, questionOf } from "./question.ts";
import type { SeriesReader } from "./series-reader.ts";
import { slicesOf } from "./slices.ts";
import { TurnstileFullError } from "./turnstile.ts";

export interface HistoryOptions {
  readonly series: SeriesReader;
  readonly capabilities: CapabilitySource;
  readonly prover: TokenProver;
  readonly displays: Pick<DisplayDoor, "view" | "readToken">;
  readonly clock: Clock;
}

/**
 * `GET /relay/history`: the past of several sensors and channels in regular buckets, the only source of charts. The
 * API makes the buckets where it can (`log-buckets`), else they are made here of its rows. The caller's own token
 * asks, so that nobody sees what the API would not show; for a display, which has none, the relay's own session.
 */
export const historyPlugin = fp<HistoryOptions>(
  async (plain, { series, capabilities, prover, displays, clock }) => {
    const app = plain.withTypeProvider<TypeBoxTypeProvider>();

    /**
     * The API would show an administrator's session the devices of every account: a display has its own farms' alone.
     *
     * @throws RelayError 404 for what the display does not see (HS-2): that it exists is not said
     */
    const refuseForeign = async (display: DisplayGrant, { sources }: HistoryQuestion): Promise<void> => {
      const viewer = await displays.view(display);
      const state = stateOf(viewer);
      viewer.release();
      if (sources.every(({ id }) => sensorKey(id) in state || controllerKey(id) in state)) return;
      throw new RelayError(404, "not-found", "no such sensor");
    };

    const config = { display: "read" } as const;
    app.get(relayPath.history, { config, schema: { querystring: HistoryQuery } }, async (request, reply) => {
      const reader = await readerOf(request, prover);
      const { account, display } = reader;
      const question = questionOf(request.query);
      if (display) await refuseForeign(display, question);
      const token = display ? await displays.readToken(display) : reader.token;
      refuseTooMuchWork(question, capabilities.has("log-buckets"), clock.now());

      const abort = new AbortController();
      reply.raw.once("close", () => abort.abort());
      const end = clock.monotonic() + HISTORY_LIMITS.budgetMs;
      const asking = { accountId: account.accountId, token, signal: abort.signal };
      try {
        const mayAsk = (): boolean => clock.monotonic() < end;
        const made = await Promise.all(
          question.sources.map((source) => series.read(source, question, asking, mayAsk)),
        );
        const answer: History = {
          from: request.query.from,
          to: request.query.to,
          source: made.every(({ byApi }) => byApi) ? "log-buckets" : "computed",
          series: made.map((one) => one.series),
        };
        const whole = answer.series.every(({ missing }) => missing === undefined);
        return sendConditional(request, reply, answer, { whole });
      } catch (error) {
        // The other sensors of a call that fails are not worth asking for.
        abort.abort();
        if (error instanceof UpstreamStatusError && error.status === 401 && !display) prover.reject(token);
        if (error instanceof TurnstileFullError) {
          throw new RelayError(429, "too-many-requests", "too much history is being read");
        }
        throw error;
      }
    });
  },
  { name: "history", fastify: "5.x", dependencies: ["errors"] },
);

/** @throws RelayError 422 for a range of raw rows that would take too many requests */
function refuseTooMuchWork({ sources, grid }: HistoryQuestion, byApi: boolean, now: number): void {
  const computed = sources.filter(({ channel }) => !byApi || channel !== undefined).length;
  if (computed * slicesOf(grid, now).length <= HISTORY_LIMITS.slices) return;
  const defaultMessage = "covers too much for an API without buckets";
  throw new RelayError(422, "validation", `the range ${defaultMessage}`, [{ field: "to", defaultMessage }]);
}
