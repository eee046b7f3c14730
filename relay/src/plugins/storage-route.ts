import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { relayPath } from "@mulkko/shared/rest/routes";
import { RelayStorage, type StorageState } from "@mulkko/shared/rest/storage";
import type { Clock } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import { isAdministrator } from "../gateway/administrator.ts";
import type { Timers } from "../ports/timers.ts";
import type { TokenProver } from "../ports/tokens.ts";
import { createAccountCaller } from "./account-caller.ts";
import { RelayError } from "./relay-error.ts";

interface Options {
  readonly storage: () => StorageState | null;
  readonly prover: TokenProver;
  readonly clock: Clock;
  readonly timers: Timers;
}

/** `GET /relay/storage`: whether readings are stored, and how much room there is, for administrators. */
export const storageRoute = fp<Options>(
  async (plain, { storage, ...parts }) => {
    const app = plain.withTypeProvider<TypeBoxTypeProvider>();
    const call = createAccountCaller(parts);
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
