import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { relayPath } from "@mulkko/shared/rest/routes";
import { type ServiceLack, type Weather, WeatherQuery } from "@mulkko/shared/rest/weather";
import type { Clock } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import { callerOf } from "../commands/caller.ts";
import { sendConditional } from "../plugins/conditional-answer.ts";
import { RelayError } from "../plugins/relay-error.ts";
import type { Owners } from "../ports/owners.ts";
import type { TokenProver } from "../ports/tokens.ts";
import { stationWeather, weatherPlace } from "./own-weather.ts";
import type { WeatherService } from "./weather-service.ts";

export interface WeatherOptions {
  readonly owners: Pick<Owners, "view">;
  readonly prover: TokenProver;
  readonly clock: Clock;
  /** null: no key is set. */
  readonly service: WeatherService | null;
}

/**
 * `GET /relay/weather`: of the external service where a key is set, else of the farm's own station, marked as such,
 * else none.
 */
export const weatherPlugin = fp<WeatherOptions>(
  async (plain, { owners, prover, clock, service }) => {
    const app = plain.withTypeProvider<TypeBoxTypeProvider>();

    app.get(relayPath.weather, { schema: { querystring: WeatherQuery } }, async (request, reply) => {
      const { token, account } = await callerOf(request, prover);
      const { lat, lon, farm, lang } = request.query;
      if ((lat === undefined) !== (lon === undefined)) {
        const [field, defaultMessage] = [lat === undefined ? "lat" : "lon", "is missing"];
        throw new RelayError(422, "validation", `${field} ${defaultMessage}`, [{ field, defaultMessage }]);
      }
      const viewer = await owners.view(account, token);
      const found = viewer.devices.changesSince(undefined);
      viewer.release();
      const state = found.kind === "snapshot" ? found.state : {};
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
        weather: served ??
          stationWeather(state, place.farmId, instead, clock.now()) ?? { source: "none", instead },
      };
      return sendConditional(request, reply, answer);
    });
  },
  { name: "weather", fastify: "5.x", dependencies: ["errors"] },
);
