import { relayAccess, relayAccounts, relaySession } from "@mulkko/shared/rest/operations/relay-calls";
import type { Clock } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import { ApiError, notFound } from "../http/api-error.ts";
import { routeOf } from "../http/operation-route.ts";
import { uuidOf } from "../http/params.ts";
import type { App } from "../http/server.ts";
import { accessChangesSince } from "./access-changes.ts";
import { createRelayKeyCheck } from "./key.ts";
import { findAccount } from "./repository.ts";
import { readValveAccounts } from "./valve-accounts.ts";

/**
 * Calls for the relay only: a token to read an account and close valves for ten minutes, the list of ended
 * tokens, and the accounts with valves.
 */
export const relaySessionRoutes = fp<{ relayKey: string | undefined; clock: Clock }>(
  async (app: App, { relayKey, clock }) => {
    if (!relayKey) return;
    const admit = createRelayKeyCheck(relayKey);
    app.route({
      ...routeOf(relaySession, {
        tags: ["relay"],
        summary: "A session of the relay's own, by the header relayKey (extension relay-session)",
      }),
      async handler(request) {
        admit(request);
        const account = await findAccount(app.database, uuidOf(request.body.userId, "account"));
        if (!account) throw notFound("account");
        if (account.disabled) throw new ApiError(403, "account-disabled", "the account is disabled");
        return { accessToken: await app.tokens.relay(account.id, clock.now()) };
      },
    });

    app.route({
      ...routeOf(relayAccess, {
        tags: ["relay"],
        summary: "Accounts whose tokens may have ended, by the header relayKey (extension relay-access)",
      }),
      async handler(request) {
        admit(request);
        const { since } = request.query;
        return accessChangesSince(app.database, since === undefined ? null : Date.parse(since), clock.now());
      },
    });

    app.route({
      ...routeOf(relayAccounts, {
        tags: ["relay"],
        summary: "Accounts with valves, by the header relayKey (extension relay-accounts)",
      }),
      async handler(request) {
        admit(request);
        const { after } = request.query;
        return readValveAccounts(app.database, after === undefined ? null : uuidOf(after, "account"));
      },
    });
  },
  { name: "relay-session", dependencies: ["database", "auth", "errors"] },
);
