import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { BeatsQuery, MAX_BEAT_IDS } from "@mulkko/shared/rest/fleet";
import { relayPath } from "@mulkko/shared/rest/routes";
import type { Clock } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import type { Reader } from "../commands/reader.ts";
import { isAdministrator } from "../gateway/administrator.ts";
import { createReaderCaller } from "../plugins/account-caller.ts";
import { sendConditional } from "../plugins/conditional-answer.ts";
import { RelayError } from "../plugins/relay-error.ts";
import type { DisplayDoor } from "../ports/displays.ts";
import type { FleetDesk } from "../ports/fleet.ts";
import type { Timers } from "../ports/timers.ts";
import type { TokenProver } from "../ports/tokens.ts";

interface Options {
  readonly fleet: Pick<FleetDesk, "beats">;
  readonly prover: TokenProver;
  readonly displays: Pick<DisplayDoor, "fleetToken">;
  readonly clock: Clock;
  readonly timers: Timers;
}

/**
 * `GET /relay/fleet/beats`: in which half-hours of two days devices were heard, for administrators, and for displays
 * that may show the fleet.
 */
export const beatsPlugin = fp<Options>(
  async (plain, { fleet, prover, displays, clock, timers }) => {
    const app = plain.withTypeProvider<TypeBoxTypeProvider>();
    const call = createReaderCaller({ prover, clock, timers });

    const config = { display: "read" } as const;
    app.get(relayPath.fleetBeats, { config, schema: { querystring: BeatsQuery } }, async (request, reply) => {
      const ids = [...new Set(request.query.ids.split(",").filter((id) => id !== ""))];
      const { served } = await call(request, async (reader) => {
        if (!mayFleet(reader)) throw new RelayError(403, "forbidden", "for administrators only");
        refuseTooMany(ids);
        const token = reader.display ? await displays.fleetToken(reader.display) : reader.token;
        return fleet.beats(token, ids);
      });
      return sendConditional(request, reply, served);
    });
  },
  { name: "fleet-beats", fastify: "5.x", dependencies: ["errors"] },
);

/** HS-2: all accounts' devices are an administrator's, and of those displays that show them by an administrator's leave. */
const mayFleet = (reader: Reader): boolean =>
  reader.display ? reader.display.mayFleet : isAdministrator(reader.account);

/** @throws RelayError 422 */
function refuseTooMany(ids: readonly string[]): void {
  if (ids.length <= MAX_BEAT_IDS) return;
  const defaultMessage = `names at most ${MAX_BEAT_IDS} devices`;
  throw new RelayError(422, "validation", `ids ${defaultMessage}`, [{ field: "ids", defaultMessage }]);
}
