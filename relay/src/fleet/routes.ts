import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { ActivityQuery, MAX_BEAT_IDS } from "@mulkko/shared/rest/fleet";
import { OddFields } from "@mulkko/shared/rest/odd-fields";
import { relayPath } from "@mulkko/shared/rest/routes";
import { RelayStorage, type StorageState } from "@mulkko/shared/rest/storage";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import type { FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import type { TokenProofs } from "../access/token-prover.ts";
import { createAccountCaller, createReaderCaller } from "../account/account-caller.ts";
import type { Reader } from "../account/reader.ts";
import { type DisplayGrant, isAdministrator } from "../http/caller.ts";
import { sendConditional } from "../http/conditional-answer.ts";
import { invalidField, RelayError } from "../http/relay-error.ts";
import type { FleetService } from "./fleet-service.ts";

interface Options {
  readonly fleet: Pick<FleetService, "beats">;
  readonly displays: {
    /** Return a token of the relay's own session for an administrator's data. */
    fleetToken(display: DisplayGrant): Promise<string>;
  };
  readonly storage: () => StorageState | null;
  readonly oddFields: () => OddFields["odd"];
  readonly prover: TokenProofs;
  readonly clock: Clock;
  readonly timers: Timers;
}

const forbidden = (): RelayError => new RelayError(403, "forbidden", "for administrators only");

/** Routes about the whole installation, for administrators. */
export const fleetPlugin = fp<Options>(
  async (plain, { fleet, displays, storage, oddFields, ...deps }) => {
    const app = plain.withTypeProvider<TypeBoxTypeProvider>();
    const callAsReader = createReaderCaller(deps);
    const call = createAccountCaller(deps);

    // The half-hours of two days in which devices reported; also for displays that may show the fleet.
    const config = { display: "read" } as const;
    app.get(
      relayPath.fleetBeats,
      { config, schema: { querystring: ActivityQuery } },
      async (request, reply) => {
        const ids = [...new Set(request.query.ids.split(",").filter((id) => id !== ""))];
        const { served } = await callAsReader(request, async (reader) => {
          if (!mayFleet(reader)) throw forbidden();
          refuseTooMany(ids);
          const token = reader.display ? await displays.fleetToken(reader.display) : reader.token;
          return fleet.beats(token, ids);
        });
        return sendConditional(reply, served);
      },
    );

    const forAdministrators = async <T>(request: FastifyRequest, answer: () => T): Promise<T> => {
      const { served } = await call(request, async (account) => {
        if (!isAdministrator(account)) throw forbidden();
        return answer();
      });
      return served;
    };
    // Storage state of readings, and free space.
    app.get(relayPath.storage, { schema: { response: { 200: RelayStorage } } }, (request) =>
      forAdministrators(request, () => ({ storage: storage() })),
    );
    // Deviations of the farm API from the contract.
    app.get(relayPath.oddFields, { schema: { response: { 200: OddFields } } }, (request) =>
      forAdministrators(request, () => ({ odd: oddFields() })),
    );
  },
  { name: "fleet", fastify: "5.x", dependencies: ["errors"] },
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
  throw invalidField("ids", `names at most ${MAX_BEAT_IDS} devices`);
}
