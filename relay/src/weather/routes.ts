import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { relayPath } from "@mulkko/shared/rest/routes";
import { type ServiceLack, type Weather, WeatherQuery } from "@mulkko/shared/rest/weather";
import type { Clock } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import type { TokenProofs } from "../access/token-prover.ts";
import { type DisplayViews, readerOf, viewOf } from "../account/reader.ts";
import type { AccountViews } from "../account/viewing.ts";
import { sendConditional } from "../http/conditional-answer.ts";
import { invalidField } from "../http/relay-error.ts";
import { stateOf } from "../store/streams.ts";
import { stationWeather, weatherPlace } from "./own-weather.ts";
import type { WeatherService } from "./weather-service.ts";

export interface WeatherOptions {
  readonly owners: Pick<AccountViews, "view">;
  readonly prover: TokenProofs;
  readonly displays: DisplayViews;
  readonly clock: Clock;
  /** null: no key is set. */
  readonly service: WeatherService | null;
}

/**
 * `GET /relay/weather`: from the external service if a key is set, else from the farm's own station, marked
 * as such, else none.
 */
export const weatherPlugin = fp<WeatherOptions>(
  async (plain, { owners, prover, displays, clock, service }) => {
    const app = plain.withTypeProvider<TypeBoxTypeProvider>();

    const config = { display: "read" } as const;
    app.get(relayPath.weather, { config, schema: { querystring: WeatherQuery } }, async (request, reply) => {
      const reader = await readerOf(request, prover);
      const { lat, lon, farm, lang } = request.query;
      if ((lat === undefined) !== (lon === undefined)) {
        throw invalidField(lat === undefined ? "lat" : "lon", "is missing");
      }
      const viewer = await viewOf(reader, owners, displays);
      const state = stateOf(viewer.devices);
      viewer.release();
      const place = weatherPlace(state, {
        ...(lat !== undefined && { lat }),
        ...(lon !== undefined && { lon }),
        ...(farm !== undefined && { farm }),
      });
      const gone = new AbortController();
      reply.raw.once("close", () => gone.abort());
      const served =
        (await service?.at(place, lang === "ko" || lang === undefined ? "ko" : "en", gone.signal)) ?? null;
      const instead: ServiceLack = service === null ? "no-key" : "service-down";
      const answer: Weather = {
        place,
        weather: served ?? stationWeather(state, place, instead, clock.now()) ?? { source: "none", instead },
      };
      return sendConditional(reply, answer);
    });
  },
  { name: "weather", fastify: "5.x", dependencies: ["errors"] },
);
