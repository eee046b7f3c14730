import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { ActivityQuery, MAX_BEAT_IDS } from "@mulkko/shared/rest/fleet";
import { relayPath } from "@mulkko/shared/rest/routes";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import { createReaderCaller } from "../account/account-caller.ts";
import type { Reader } from "../account/reader.ts";
import { isAdministrator } from "../http/administrator.ts";
import { sendConditional } from "../http/conditional-answer.ts";
import type { DisplayGrant } from "../http/display-grant.ts";
import { RelayError } from "../http/relay-error.ts";
import type { TokenProver } from "../upstream/tokens.ts";
import type { FleetService } from "./fleet-service.ts";

interface Options {
  readonly fleet: Pick<FleetService, "beats">;
  readonly prover: TokenProver;
  readonly displays: {
    /** Return a token of the relay's own session for an administrator's data. */
    fleetToken(display: DisplayGrant): Promise<string>;
  };
  readonly clock: Clock;
  readonly timers: Timers;
}

/**
 * `GET /relay/fleet/beats`: the half-hours of two days in which devices reported. For administrators, and for
 * displays that may show the fleet.
 */
export const activityPlugin = fp<Options>(
  async (plain, { fleet, prover, displays, clock, timers }) => {
    const app = plain.withTypeProvider<TypeBoxTypeProvider>();
    const call = createReaderCaller({ prover, clock, timers });

    const config = { display: "read" } as const;
    app.get(
      relayPath.fleetBeats,
      { config, schema: { querystring: ActivityQuery } },
      async (request, reply) => {
        const ids = [...new Set(request.query.ids.split(",").filter((id) => id !== ""))];
        const { served } = await call(request, async (reader) => {
          if (!mayFleet(reader)) throw new RelayError(403, "forbidden", "for administrators only");
          refuseTooMany(ids);
          const token = reader.display ? await displays.fleetToken(reader.display) : reader.token;
          return fleet.beats(token, ids);
        });
        return sendConditional(reply, served);
      },
    );
  },
  { name: "fleet-beats", fastify: "5.x", dependencies: ["errors"] },
);

/**
 * HS-2: return true for an administrator, and for a display that an administrator allowed to show all
 * accounts.
 */
const mayFleet = (reader: Reader): boolean =>
  reader.display ? reader.display.mayFleet : isAdministrator(reader.account);

/**
 * Refuse a request for too many devices.
 * @throws RelayError 422
 */
function refuseTooMany(ids: readonly string[]): void {
  if (ids.length <= MAX_BEAT_IDS) return;
  const defaultMessage = `names at most ${MAX_BEAT_IDS} devices`;
  throw new RelayError(422, "validation", `ids ${defaultMessage}`, [{ field: "ids", defaultMessage }]);
}
