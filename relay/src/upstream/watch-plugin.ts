import { relayPath } from "@mulkko/shared/rest/routes";
import { WatchState } from "@mulkko/shared/rest/watch";
import type { FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { callerOf } from "../commands/caller.ts";
import { RelayError } from "../plugins/relay-error.ts";
import type { TokenProver } from "../ports/tokens.ts";
import type { WatchDesk, WatchWish } from "../ports/watch.ts";
import { UpstreamError } from "./errors.ts";

interface Options {
  readonly watch: Pick<WatchDesk, "wish">;
  readonly prover: TokenProver;
}

const BODY_BYTES = 1_024;

/**
 * Whether the caller's farm is watched while nobody is signed in (CRED-1), and the way to end that. All three
 * answer with the state reached: 401 without a good token, 503 where the account's owner cannot be asked.
 */
export const watchPlugin = fp<Options>(
  async (app, { watch, prover }) => {
    const answer = async (request: FastifyRequest, wish: WatchWish): Promise<WatchState> => {
      const { account } = await callerOf(request, prover);
      try {
        return await watch.wish(account.accountId, wish);
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
        throw new RelayError(503, "upstream-down", "who watches this farm cannot be asked now");
      }
    };
    const schema = { response: { 200: WatchState } };
    app.get(relayPath.watch, { schema }, async (request, reply) => {
      reply.header("cache-control", "no-store");
      return answer(request, "state");
    });
    const limits = { schema, bodyLimit: BODY_BYTES };
    app.post(relayPath.stopWatching, limits, (request) => answer(request, "stop"));
    app.post(relayPath.startWatching, limits, (request) => answer(request, "start"));
  },
  { name: "watch", fastify: "5.x", dependencies: ["errors"] },
);
