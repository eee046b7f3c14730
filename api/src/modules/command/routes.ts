import { randomUUID } from "node:crypto";
import type { OnOffCommand } from "@mulkko/shared/mqtt/device-messages";
import { topic } from "@mulkko/shared/mqtt/topics";
import { type CommandAnswer, CommandBody } from "@mulkko/shared/rest/command";
import { apiPath } from "@mulkko/shared/rest/routes";
import type { Clock } from "@mulkko/shared/rules/clock";
import { VALVE_OFF, VALVE_ON } from "@mulkko/shared/rules/valve";
import fp from "fastify-plugin";
import { type Static, Type } from "typebox";
import { BrokerDownError } from "../../broker/broker.ts";
import type { KnownDevice } from "../../devices/directory.ts";
import { ApiError, notFound } from "../../http/api-error.ts";
import { uuidOf } from "../../http/params.ts";
import type { App } from "../../http/server.ts";
import { linkOf } from "../../ingest/device-links.ts";
import { type Caller, callerOf, ownerFilter } from "../../plugins/auth.ts";
import { claimKey, releaseKey } from "./repository.ts";
import { contentOf, expiryOf, type ValveCommand, valveCommandOf } from "./rules.ts";

/** Routes that the relay's own token may use, to close. */
export const RELAY_COMMAND_URLS: readonly string[] = [apiPath.command, apiPath.legacyCommand];

const IdempotencyKey = Type.Object({
  "idempotency-key": Type.Optional(Type.String({ pattern: "^[\\w-]{1,64}$" })),
});

/** Valve commands: answered once the broker has them, which says nothing about the valve. */
export const commandRoutes = fp<{ clock: Clock }>(
  async (app: App, { clock }) => {
    const { database, directory, ingest } = app;

    const deviceOf = (caller: Caller, uuid: string | number, number: number): KnownDevice => {
      const device = directory.byId(uuidOf(String(uuid), "controller"));
      const owner = ownerFilter(caller);
      if (!device || (owner !== null && device.accountId !== owner)) throw notFound("controller");
      if (!device.channels.some((channel) => channel.number === number)) throw notFound("channel");
      return device;
    };

    const isOffline = (device: KnownDevice): boolean => {
      const session = app.broker.hasSession(device.serial);
      return session === null ? linkOf(ingest.links.of(device.id)) === "lost" : !session;
    };

    const send = async (device: KnownDevice, command: ValveCommand, commandId: string): Promise<void> => {
      const payload: Static<typeof OnOffCommand> = {
        state: command.target,
        commandId,
        expiresAt: new Date(expiryOf(command, clock.now())).toISOString(),
        ...(command.maxRunSeconds === null ? {} : { maxRunSeconds: command.maxRunSeconds }),
      };
      await app.broker.publish({
        topic: topic.channelCommand(device.serial, command.number, "onoff"),
        payload: JSON.stringify(payload),
        qos: 1,
      });
    };

    app.route({
      method: "POST",
      url: RELAY_COMMAND_URLS[0] ?? "",
      onRequest: app.authenticate,
      schema: { body: CommandBody, headers: IdempotencyKey },
      handler: (request) =>
        obey(callerOf(request), request.body, request.headers["idempotency-key"], request.log),
    });
    app.route({
      method: "POST",
      url: RELAY_COMMAND_URLS[1] ?? "",
      onRequest: app.authenticate,
      schema: { body: CommandBody, headers: IdempotencyKey },
      handler: (request) =>
        obey(callerOf(request), request.body, request.headers["idempotency-key"], request.log),
    });

    async function obey(
      caller: Caller,
      body: CommandBody,
      givenKey: string | undefined,
      log: App["log"],
    ): Promise<Static<typeof CommandAnswer>> {
      const command = valveCommandOf(body);
      if (caller.scope === "relay" && command.target !== VALVE_OFF) {
        throw new ApiError(403, "forbidden", "this token may close valves only");
      }
      const device = deviceOf(caller, body.uuid, command.number);
      const commandId = givenKey ?? randomUUID();
      const accountId = caller.account.id;
      const facts = {
        commandId,
        accountId,
        serial: device.serial,
        number: command.number,
        target: command.target,
      };
      if (!app.broker.isUp()) throw new ApiError(503, "broker-down", "the broker cannot be reached");
      const claim = await claimKey(
        database,
        { accountId, key: commandId, content: contentOf(body) },
        clock.now(),
      );
      if (claim === "conflict") {
        throw new ApiError(409, "command-conflict", "this key belongs to another command");
      }
      // An opening is executed once. A closing that is asked for again goes out again: it can only stop water.
      if (claim === "known" && command.target === VALVE_ON) return { commandId };
      try {
        if (command.target === VALVE_ON && isOffline(device)) {
          throw new ApiError(409, "controller-offline", "the controller is not connected");
        }
        await send(device, command, commandId);
      } catch (error) {
        await releaseKey(database, accountId, commandId);
        if (!(error instanceof BrokerDownError)) throw error;
        throw new ApiError(503, "broker-down", "the broker cannot be reached", { retryAfter: 2 });
      }
      log.info(facts, "command handed to the broker");
      return { commandId };
    }
  },
  { name: "command", dependencies: ["database", "broker", "auth", "errors"] },
);
