import { relayPath } from "@mulkko/shared/rest/routes";
import { WatchState } from "@mulkko/shared/rest/watch";
import type { FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import type { WatchRequest, WatchService } from "../access/account-access.ts";
import type { TokenProofs } from "../access/token-prover.ts";
import { callerOf } from "../http/caller.ts";
import { RelayError } from "../http/relay-error.ts";
import { UpstreamError } from "../upstream/errors.ts";

interface Options {
  readonly watch: Pick<WatchService, "request">;
  readonly prover: TokenProofs;
}

const BODY_BYTES = 1_024;

/**
 * Report and control the watching of the caller's farm while no user is signed in (CRED-1). All three routes
 * answer with the state reached: 401 without a valid token, 503 if the account's owner cannot be asked.
 */
export const watchPlugin = fp<Options>(
  async (app, { watch, prover }) => {
    const answer = async (request: FastifyRequest, action: WatchRequest): Promise<WatchState> => {
      const { account } = await callerOf(request, prover);
      try {
        return await watch.request(account.accountId, action);
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
        throw new RelayError(503, "upstream-down", "the watch state of this farm is unavailable");
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
