import { RelaySession, RelaySessionBody } from "@mulkko/shared/rest/account";
import { apiPath } from "@mulkko/shared/rest/routes";
import type { Clock } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import type { Static } from "typebox";
import { ApiError, notFound } from "../../http/api-error.ts";
import { uuidOf } from "../../http/params.ts";
import type { App } from "../../http/server.ts";
import { findAccount } from "../account/repository.ts";
import { createRelayGate } from "./relay-key.ts";

/** The relay's own session with an account: ten minutes in which it may read, and close valves. */
export const relaySessionRoutes = fp<{ relayKey: string | undefined; clock: Clock }>(
  async (app: App, { relayKey, clock }) => {
    if (!relayKey) return;
    const admit = createRelayGate(relayKey);
    app.post(
      apiPath.relaySession,
      {
        schema: {
          tags: ["relay"],
          summary: "A session of the relay's own, by the header relayKey (extension relay-session)",
          body: RelaySessionBody,
          response: { 200: RelaySession },
        },
      },
      async (request): Promise<Static<typeof RelaySession>> => {
        admit(request);
        const account = await findAccount(app.database, uuidOf(request.body.userId, "account"));
        if (!account) throw notFound("account");
        if (account.disabled) throw new ApiError(403, "account-disabled", "the account is disabled");
        return { accessToken: await app.tokens.relay(account.id, clock.now()) };
      },
    );
  },
  { name: "relay-session", dependencies: ["database", "auth", "errors"] },
);
