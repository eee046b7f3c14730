import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { relayPath } from "@mulkko/shared/rest/routes";
import { PreviewQuery, WateringsQuery } from "@mulkko/shared/rest/waterings";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { readerOf, stateOf, viewOf } from "../commands/reader.ts";
import { accountZone } from "../core/account-zone.ts";
import { farmsOfChannels } from "../core/channel-farms.ts";
import { withoutPlace } from "../core/farm-sight.ts";
import { sendConditional } from "../plugins/conditional-answer.ts";
import { RelayError } from "../plugins/relay-error.ts";
import type { ChannelWatering } from "../ports/commands.ts";
import type { DisplayDoor } from "../ports/displays.ts";
import type { Owners } from "../ports/owners.ts";
import type { TokenProver } from "../ports/tokens.ts";
import { StoreUnavailableError } from "../store/errors.ts";
import { KEPT_MS, listWaterings } from "./list-waterings.ts";
import { previewOf } from "./preview-of.ts";

export interface WateringsOptions {
  readonly owners: Pick<Owners, "desk" | "view">;
  readonly prover: TokenProver;
  readonly displays: Pick<DisplayDoor, "view">;
  readonly clock: Clock;
  readonly apiTimezone: string;
}

const MINUTE_MS = 60_000;

/** `GET /relay/waterings`: the records of an account (WAT-2); `…/preview`: what is going to run (WAT-3). */
export const wateringsPlugin = fp<WateringsOptions>(
  async (plain, { owners, prover, displays, clock, apiTimezone }) => {
    const app = plain.withTypeProvider<TypeBoxTypeProvider>();

    /** The caller's account: its state as every screen sees it, its records, and its time zone. */
    const account = async (request: FastifyRequest) => {
      const reader = await readerOf(request, prover);
      const { token, account: proven, display } = reader;
      const viewer = await viewOf(reader, owners, displays);
      try {
        const state = stateOf(viewer);
        const desk = await owners.desk(proven, token);
        // A question that is asked again within the minute has the same answer, and costs no bytes.
        const now = Math.floor(clock.now() / MINUTE_MS) * MINUTE_MS;
        const all = await kept(desk.waterings(now - KEPT_MS));
        // Of a display's farms is what runs through channels that it sees (HS-2).
        const waterings = display?.farms
          ? all
              .filter(({ channelKey }) => channelKey in state)
              .map(({ channelKey, watering }) => ({ channelKey, watering: withoutPlace(watering) }))
          : all;
        return { state, waterings, now, zone: accountZone(proven.account.timezone, apiTimezone) };
      } finally {
        viewer.release();
      }
    };

    const config = { display: "read" } as const;
    app.get(
      relayPath.waterings,
      { config, schema: { querystring: WateringsQuery } },
      async (request, reply) => {
        const { state, ...asked } = await account(request);
        return sendConditional(
          request,
          reply,
          listWaterings(request.query, { ...asked, farms: farmsOfChannels(state) }),
        );
      },
    );

    app.get(
      relayPath.wateringPreview,
      { config, schema: { querystring: PreviewQuery } },
      async (request, reply) => {
        const asked = await account(request);
        return sendConditional(request, reply, previewOf(request.query.farm, asked));
      },
    );
  },
  { name: "waterings", fastify: "5.x", dependencies: ["errors"] },
);

/** @throws RelayError 503 where the store cannot be read */
async function kept(waterings: Promise<ChannelWatering[]>): Promise<ChannelWatering[]> {
  try {
    return await waterings;
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    throw new RelayError(503, "store-down", "the records of waterings cannot be read");
  }
}
