import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { relayPath } from "@mulkko/shared/rest/routes";
import { AccountSettings } from "@mulkko/shared/rest/settings";
import type { Clock } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import { actorOf } from "../commands/caller.ts";
import { createAccountCaller } from "../plugins/account-caller.ts";
import { RelayError } from "../plugins/relay-error.ts";
import type { Owners } from "../ports/owners.ts";
import type { Timers } from "../ports/timers.ts";
import type { TokenProver } from "../ports/tokens.ts";
import { StoreUnavailableError } from "../store/errors.ts";

export interface SettingsOptions {
  readonly owners: Pick<Owners, "settings">;
  readonly prover: TokenProver;
  readonly clock: Clock;
  readonly timers: Timers;
}

/** What the store takes of one account. */
const BODY_BYTES = 64 * 1024;

/** `/relay/settings`: what an account has set about its valves; replaced as a whole. */
export const settingsPlugin = fp<SettingsOptions>(
  async (plain, { owners, prover, clock, timers }) => {
    const app = plain.withTypeProvider<TypeBoxTypeProvider>();
    const call = createAccountCaller({ prover, clock, timers });

    app.get(relayPath.settings, async (request, reply): Promise<AccountSettings> => {
      const { served } = await call(request, owners.settings);
      reply.header("cache-control", "no-store");
      return served.get();
    });
    app.put(
      relayPath.settings,
      { bodyLimit: BODY_BYTES, schema: { body: AccountSettings } },
      async (request): Promise<AccountSettings> => {
        const { account, served } = await call(request, owners.settings);
        try {
          await served.put(request.body);
        } catch (error) {
          if (!(error instanceof StoreUnavailableError)) throw error;
          throw new RelayError(503, "store-down", "the settings could not be kept");
        }
        request.log.info({ by: actorOf(account).id }, "an account's settings were replaced");
        return served.get();
      },
    );
  },
  { name: "settings", fastify: "5.x", dependencies: ["errors"] },
);
