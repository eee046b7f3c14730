import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { BeatsQuery, MAX_BEAT_IDS } from "@mulkko/shared/rest/fleet";
import { relayPath } from "@mulkko/shared/rest/routes";
import type { Clock } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import { isAdministrator } from "../gateway/administrator.ts";
import { createAccountCaller } from "../plugins/account-caller.ts";
import { sendConditional } from "../plugins/conditional-answer.ts";
import { RelayError } from "../plugins/relay-error.ts";
import type { FleetDesk } from "../ports/fleet.ts";
import type { Timers } from "../ports/timers.ts";
import type { TokenProver } from "../ports/tokens.ts";

interface Options {
  readonly fleet: Pick<FleetDesk, "beats">;
  readonly prover: TokenProver;
  readonly clock: Clock;
  readonly timers: Timers;
}

/** `GET /relay/fleet/beats`: in which half-hours of two days devices were heard, for administrators. */
export const beatsPlugin = fp<Options>(
  async (plain, { fleet, prover, clock, timers }) => {
    const app = plain.withTypeProvider<TypeBoxTypeProvider>();
    const call = createAccountCaller({ prover, clock, timers });

    app.get(relayPath.fleetBeats, { schema: { querystring: BeatsQuery } }, async (request, reply) => {
      const ids = [...new Set(request.query.ids.split(",").filter((id) => id !== ""))];
      const { served } = await call(request, async (account, token) => {
        if (!isAdministrator(account)) throw new RelayError(403, "forbidden", "for administrators only");
        refuseTooMany(ids);
        return fleet.beats(token, ids);
      });
      return sendConditional(request, reply, served);
    });
  },
  { name: "fleet-beats", fastify: "5.x", dependencies: ["errors"] },
);

/** @throws RelayError 422 */
function refuseTooMany(ids: readonly string[]): void {
  if (ids.length <= MAX_BEAT_IDS) return;
  const defaultMessage = `names at most ${MAX_BEAT_IDS} devices`;
  throw new RelayError(422, "validation", `ids ${defaultMessage}`, [{ field: "ids", defaultMessage }]);
}
