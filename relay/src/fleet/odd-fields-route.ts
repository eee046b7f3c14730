import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { OddFields } from "@mulkko/shared/rest/odd-fields";
import { relayPath } from "@mulkko/shared/rest/routes";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import { createAccountCaller } from "../account/account-caller.ts";
import { isAdministrator } from "../http/administrator.ts";
import { RelayError } from "../http/relay-error.ts";
import type { TokenProver } from "../upstream/tokens.ts";

interface Options {
  readonly oddFields: () => OddFields["odd"];
  readonly prover: TokenProver;
  readonly clock: Clock;
  readonly timers: Timers;
}

/** `GET /relay/odd-fields`: deviations of the farm API from the contract, for administrators. */
export const oddFieldsRoute = fp<Options>(
  async (plain, { oddFields, ...deps }) => {
    const app = plain.withTypeProvider<TypeBoxTypeProvider>();
    const call = createAccountCaller(deps);
    app.get(relayPath.oddFields, { schema: { response: { 200: OddFields } } }, async (request) => {
      const { served } = await call(request, async (account) => {
        if (!isAdministrator(account)) throw new RelayError(403, "forbidden", "for administrators only");
        return { odd: oddFields() };
      });
      return served;
    });
  },
  { name: "odd-fields-route", fastify: "5.x", dependencies: ["errors"] },
);
