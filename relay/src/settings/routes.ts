import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { relayPath, routePattern } from "@mulkko/shared/rest/routes";
import {
  type AccountSettings,
  AccountSettingsBody,
  ChannelSettingsBody,
  ControllerSettingsBody,
} from "@mulkko/shared/rest/settings";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import type { FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import Type from "typebox";
import type { TokenProofs } from "../access/token-prover.ts";
import { createAccountCaller } from "../account/account-caller.ts";
import { actorOf } from "../http/caller.ts";
import { invalidField, orStoreDown, RelayError } from "../http/relay-error.ts";
import type { SettingsChange, SettingsRefusal } from "./settings-calls.ts";
import type { SettingsServices } from "./settings-service.ts";

export interface SettingsOptions {
  readonly owners: SettingsServices;
  readonly prover: TokenProofs;
  readonly clock: Clock;
  readonly timers: Timers;
}

const BODY_BYTES = 4 * 1024;
const WithId = Type.Object({ id: Type.String({ minLength: 1, maxLength: 128 }) });
const channelPath = routePattern(relayPath.channelSettings, "id");
const controllerPath = routePattern(relayPath.controllerSettings, "id");

/**
 * Routes of an account's valve settings: read as a whole, changed for the account, a controller or a
 * channel.
 */
export const settingsPlugin = fp<SettingsOptions>(
  async (plain, { owners, prover, clock, timers }) => {
    const app = plain.withTypeProvider<TypeBoxTypeProvider>();
    const call = createAccountCaller({ prover, clock, timers });

    const change = async (request: FastifyRequest, wanted: SettingsChange): Promise<AccountSettings> => {
      const { account, served } = await call(request, owners.settings);
      const answer = await orStoreDown(served.change({ change: wanted }), "the settings could not be stored");
      if (!answer.ok) throw refusalOf(answer.why);
      request.log.info(
        { event: "settings-changed", by: actorOf(account).id, change: wanted },
        "changed account settings",
      );
      return answer.settings;
    };

    app.get(relayPath.settings, async (request, reply): Promise<AccountSettings> => {
      const { served } = await call(request, owners.settings);
      reply.header("cache-control", "no-store");
      return served.get();
    });
    app.put(
      relayPath.settings,
      { bodyLimit: BODY_BYTES, schema: { body: AccountSettingsBody } },
      (request) => {
        const { adoptExternal } = request.body;
        return change(request, { about: "account", adoptExternal });
      },
    );
    app.put(
      controllerPath,
      { bodyLimit: BODY_BYTES, schema: { params: WithId, body: ControllerSettingsBody } },
      (request) => {
        const { maxRunSeconds } = request.body;
        return change(request, { about: "controller", id: request.params.id, maxRunSeconds });
      },
    );
    app.put(
      channelPath,
      { bodyLimit: BODY_BYTES, schema: { params: WithId, body: ChannelSettingsBody } },
      (request) => {
        const { name, defaultRunSeconds, flowSensorId, largestFlow } = request.body;
        return change(request, {
          about: "channel",
          id: request.params.id,
          ...(name !== undefined && { name }),
          ...(defaultRunSeconds !== undefined && { defaultRunSeconds }),
          ...(flowSensorId !== undefined && { flowSensorId }),
          ...(largestFlow !== undefined && { largestFlow }),
        });
      },
    );
  },
  { name: "settings", fastify: "5.x", dependencies: ["errors"] },
);

function refusalOf(why: SettingsRefusal): RelayError {
  switch (why) {
    case "unknown":
      return new RelayError(404, "not-found", "no such channel or controller");
    case "above-cap":
      return invalidField("defaultRunSeconds", "is more than the controller's maxRunSeconds");
    case "no-flow-meter":
      return invalidField("flowSensorId", "is no WATERFLOW sensor of the account");
    case "own-sensor":
      return invalidField("flowSensorId", "is one of the channel's own sensors");
    case "too-many":
      return new RelayError(422, "validation", "the account has too many settings");
  }
}
