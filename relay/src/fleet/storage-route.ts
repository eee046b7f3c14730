import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { relayPath } from "@mulkko/shared/rest/routes";
import { RelayStorage, type StorageState } from "@mulkko/shared/rest/storage";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import { createAccountCaller } from "../account/account-caller.ts";
import { isAdministrator } from "../http/administrator.ts";
import { RelayError } from "../http/relay-error.ts";
import type { TokenProver } from "../upstream/tokens.ts";

interface Options {
  readonly storage: () => StorageState | null;
  readonly prover: TokenProver;
  readonly clock: Clock;
  readonly timers: Timers;
}

/** `GET /relay/storage`: storage state of readings, and free space, for administrators. */
export const storageRoute = fp<Options>(
  async (plain, { storage, ...deps }) => {
    const app = plain.withTypeProvider<TypeBoxTypeProvider>();
    const call = createAccountCaller(deps);
    app.get(relayPath.storage, { schema: { response: { 200: RelayStorage } } }, async (request) => {
      const { served } = await call(request, async (account) => {
        if (!isAdministrator(account)) throw new RelayError(403, "forbidden", "for administrators only");
        return { storage: storage() };
      });
      return served;
    });
  },
  { name: "storage-route", fastify: "5.x", dependencies: ["errors"] },
);
