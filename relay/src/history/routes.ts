import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { type History, HistoryQuery } from "@mulkko/shared/rest/history";
import { relayPath } from "@mulkko/shared/rest/routes";
import type { Clock } from "@mulkko/shared/rules/clock";
import { controllerKey, sensorKey } from "@mulkko/shared/rules/device-keys";
import fp from "fastify-plugin";
import type { TokenProver } from "../access/token-prover.ts";
import { type DisplayViews, readerOf } from "../account/reader.ts";
import type { DisplayGrant } from "../http/caller.ts";
import { sendConditional } from "../http/conditional-answer.ts";
import { RelayError } from "../http/relay-error.ts";
import { stateOf } from "../store/streams.ts";
import type { CapabilitySource } from "../upstream/capabilities.ts";
import { UpstreamStatusError } from "../upstream/errors.ts";
import { HISTORY_LIMITS } from "./limits.ts";
import { type HistoryQuestion, questionOf } from "./question.ts";
import type { SeriesReader } from "./series-reader.ts";
import { slicesOf } from "./slices.ts";

export interface HistoryOptions {
  readonly series: SeriesReader;
  readonly capabilities: CapabilitySource;
  readonly prover: Pick<TokenProver, "prove" | "proveAgain" | "reject">;
  readonly displays: DisplayViews & {
    /** Return a token of the relay's own session for the display's account. */
    readToken(display: DisplayGrant): Promise<string>;
  };
  readonly clock: Clock;
}

/**
 * `GET /relay/history`: the history of several sensors and channels in regular buckets, the only source of
 * charts. The API computes the buckets if it can (`log-buckets`); otherwise the relay computes them from its
 * rows. Requests use the caller's own token, so the API's access rules apply; for a display, which has none,
 * they use the relay's own session.
 */
export const historyPlugin = fp<HistoryOptions>(
  async (plain, { series, capabilities, prover, displays, clock }) => {
    const app = plain.withTypeProvider<TypeBoxTypeProvider>();

    /**
     * Refuse sensors outside a display's farms: an administrator's session would return the devices of every
     * account.
     *
     * @throws RelayError 404 for what the display does not see (HS-2), as for an unknown device
     */
    const refuseForeign = async (display: DisplayGrant, { sources }: HistoryQuestion): Promise<void> => {
      const viewer = await displays.view(display);
      const state = stateOf(viewer.devices);
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
        return sendConditional(reply, answer, { whole });
      } catch (error) {
        // The call fails as a whole, so its other requests are cancelled.
        abort.abort();
        if (error instanceof UpstreamStatusError && error.status === 401 && !display) prover.reject(token);
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
