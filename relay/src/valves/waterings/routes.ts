import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { relayPath } from "@mulkko/shared/rest/routes";
import { PreviewQuery, WateringsQuery } from "@mulkko/shared/rest/waterings";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import type { TokenProofs } from "../../access/token-prover.ts";
import { withoutPlace } from "../../account/farm-filter.ts";
import { farmIndexOf } from "../../account/farm-index.ts";
import { accountZone, type DisplayViews, readerOf, viewOf } from "../../account/reader.ts";
import type { AccountViews } from "../../account/viewing.ts";
import { sendConditional } from "../../http/conditional-answer.ts";
import { orStoreDown } from "../../http/relay-error.ts";
import { stateOf } from "../../store/streams.ts";
import type { ValveServices } from "../commands.ts";
import { KEPT_MS, listWaterings } from "./list-waterings.ts";
import { previewOf, startOfMinute } from "./watering-preview.ts";

export interface WateringsOptions {
  readonly owners: ValveServices & Pick<AccountViews, "view">;
  readonly prover: TokenProofs;
  readonly displays: DisplayViews;
  readonly clock: Clock;
  readonly apiTimezone: string;
}

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
        const state = stateOf(viewer.devices);
        const service = await owners.service(proven, token);
        const now = startOfMinute(clock.now());
        const { waterings: all, watchedSince } = await orStoreDown(
          service.waterings({ since: now - KEPT_MS }),
          "the records of waterings cannot be read",
        );
        // Of a display's farms is what runs through channels that it sees (HS-2).
        const waterings = display?.farms
          ? all
              .filter(({ channelKey }) => channelKey in state)
              .map(({ channelKey, watering }) => ({ channelKey, watering: withoutPlace(watering) }))
          : all;
        return {
          state,
          waterings,
          watchedSince,
          now,
          zone: accountZone(proven.account.timezone, apiTimezone),
        };
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
          reply,
          listWaterings(request.query, { ...asked, farms: farmIndexOf(Object.entries(state)) }),
        );
      },
    );

    app.get(
      relayPath.wateringPreview,
      { config, schema: { querystring: PreviewQuery } },
      async (request, reply) => {
        const asked = await account(request);
        return sendConditional(reply, previewOf(request.query.farm, { ...asked, now: clock.now() }));
      },
    );
  },
  { name: "waterings", fastify: "5.x", dependencies: ["errors"] },
);
