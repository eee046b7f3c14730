import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { relayPath } from "@mulkko/shared/rest/routes";
import {
  type AccountSettings,
  AccountSettingsBody,
  ChannelSettingsBody,
  ControllerSettingsBody,
} from "@mulkko/shared/rest/settings";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import Type from "typebox";
import { actorOf } from "../commands/caller.ts";
import { createAccountCaller } from "../plugins/account-caller.ts";
import { RelayError } from "../plugins/relay-error.ts";
import type { Owners } from "../ports/owners.ts";
import type { SettingsChange, SettingsRefusal } from "../ports/settings.ts";
import type { Timers } from "../ports/timers.ts";
import type { TokenProver } from "../ports/tokens.ts";
import { StoreUnavailableError } from "../store/errors.ts";

export interface SettingsOptions {
  readonly owners: Pick<Owners, "settings">;
  readonly prover: Pick<TokenProver, "prove">;
  readonly clock: Clock;
  readonly timers: Timers;
}

const BODY_BYTES = 4 * 1024;
const WithId = Type.Object({ id: Type.String({ minLength: 1, maxLength: 128 }) });
/** A path's placeholder goes through the contract's own path as it is. */
const ID = ":id";
const channelPath = relayPath.channelSettings(ID).replace(encodeURIComponent(ID), ID);
const controllerPath = relayPath.controllerSettings(ID).replace(encodeURIComponent(ID), ID);

/** What an account has set about its valves: read as a whole, changed for the account, a controller or a channel. */
export const settingsPlugin = fp<SettingsOptions>(
  async (plain, { owners, prover, clock, timers }) => {
    const app = plain.withTypeProvider<TypeBoxTypeProvider>();
    const call = createAccountCaller({ prover, clock, timers });

    const change = async (request: FastifyRequest, wanted: SettingsChange): Promise<AccountSettings> => {
      const { account, served } = await call(request, owners.settings);
      const answer = await served.change(wanted).catch((error: unknown) => {
        if (!(error instanceof StoreUnavailableError)) throw error;
        throw new RelayError(503, "store-down", "the settings could not be kept");
      });
      if (!answer.ok) throw refusalOf(answer.why);
      request.log.info({ by: actorOf(account).id, change: wanted }, "an account's settings were changed");
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
        const { name, defaultRunSeconds, flowSensorId } = request.body;
        return change(request, {
          about: "channel",
          id: request.params.id,
          ...(name !== undefined && { name }),
          ...(defaultRunSeconds !== undefined && { defaultRunSeconds }),
          ...(flowSensorId !== undefined && { flowSensorId }),
        });
      },
    );
  },
  { name: "settings", fastify: "5.x", dependencies: ["errors"] },
);

function refusalOf(why: SettingsRefusal): RelayError {
  const field = (name: string, defaultMessage: string): RelayError =>
    new RelayError(422, "validation", `${name} ${defaultMessage}`, [{ field: name, defaultMessage }]);
  switch (why) {
    case "unknown":
      return new RelayError(404, "not-found", "no such channel or controller");
    case "above-cap":
      return field("defaultRunSeconds", "is more than the controller's maxRunSeconds");
    case "no-flow-meter":
      return field("flowSensorId", "is no WATERFLOW sensor of the account");
    case "own-sensor":
      return field("flowSensorId", "is one of the channel's own sensors");
    case "too-many":
      return new RelayError(422, "validation", "the account has set as much as can be kept");
  }
}
