import { randomUUID } from "node:crypto";
import { type CommandAnswer, type CommandBody, REPLACES_HEADER } from "@mulkko/shared/rest/command";
import { controllerCommand, sensorCommand } from "@mulkko/shared/rest/operations/controllers";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { VALVE_OFF, VALVE_ON } from "@mulkko/shared/rules/valve";
import fp from "fastify-plugin";
import { type Static, Type } from "typebox";
import { type Caller, callerOf } from "../accounts/auth.ts";
import { deviceOfCaller } from "../devices/access.ts";
import { BrokerDownError } from "../devices/broker.ts";
import type { KnownDevice } from "../devices/device-index.ts";
import { linkOf } from "../devices/device-links.ts";
import { ApiError, notFound } from "../http/api-error.ts";
import { routeOf } from "../http/operation-route.ts";
import type { App } from "../http/server.ts";
import { logCommand, logRefusal } from "./command-log.ts";
import { claimKey, releaseKey } from "./command-repository.ts";
import { contentOf, type FarmCommand, farmCommandOf, type ValveCommand } from "./command-rules.ts";
import { changeSetting, resetSetting } from "./command-settings.ts";
import { publishOnOff } from "./on-off.ts";

/** Routes that the relay's own token may use, to close. */
export const RELAY_COMMAND_URLS: readonly string[] = [controllerCommand.path, sensorCommand.path];

const CommandHeaders = Type.Object({
  "idempotency-key": Type.Optional(Type.String({ pattern: "^[\\w-]{1,64}$" })),
  [REPLACES_HEADER]: Type.Optional(Type.String({ pattern: "^[\\w-]{1,64}(,[\\w-]{1,64}){0,63}$" })),
});

/** Time for which a close waits for the store before it is sent all the same, for each of its two records, ms. */
const CLOSE_WAITS_MS = 1_000;
/** Number of replaced closes that are remembered, of all channels. */
const REPLACED_AT_MOST = 1_000;

/** Return the contract's error code for a command that was not sent. */
function codeOf(error: unknown): string {
  if (error instanceof BrokerDownError) return "broker-down";
  return error instanceof ApiError ? error.code : "internal";
}

/**
 * Valve commands, answered once the broker has them, which does not confirm the valve's state. Also the other
 * commands of the plain contract: resets of the watering modes, and their single values on the older path.
 */
export const commandRoutes = fp<{ clock: Clock; timers: Timers }>(
  async (app: App, { clock, timers }) => {
    const { database, deviceIndex, ingest } = app;
    /** Closes that a newer opening has named as replaced, by channel and id, oldest first (CMD-17). */
    const replaced = new Set<string>();

    const deviceOf = (caller: Caller, uuid: string | number, number: number): KnownDevice => {
      const device = deviceOfCaller(deviceIndex, caller, String(uuid), "device");
      if (!device.channels.some((channel) => channel.number === number)) throw notFound("channel");
      return device;
    };

    const isOffline = (device: KnownDevice): boolean => {
      const session = app.broker.hasSession(device.serial);
      return session === null ? linkOf(ingest.links.of(device.id)) === "lost" : !session;
    };

    const replace = (channel: string, ids: string | undefined): void => {
      for (const id of ids?.split(",") ?? []) replaced.add(`${channel} ${id}`);
      for (const oldest of replaced) {
        if (replaced.size <= REPLACED_AT_MOST) break;
        replaced.delete(oldest);
      }
    };

    async function turn(device: KnownDevice, valve: ValveCommand, commandId: string): Promise<void> {
      if (valve.target === VALVE_ON && isOffline(device)) {
        throw new ApiError(409, "controller-offline", "the controller is not connected");
      }
      if (app.valves.drives(device.id)) return app.valves.turn(device.id, valve, commandId);
      const deviceNow = ingest.clockOf(device.id);
      await publishOnOff(app.broker, device.serial, valve, commandId, clock.now(), deviceNow);
    }

    async function execute(device: KnownDevice, command: FarmCommand, commandId: string): Promise<void> {
      const { number } = command;
      if (command.kind === "valve") return turn(device, command.valve, commandId);
      const mode = command.kind === "reset" ? command.mode : command.setting.mode;
      if (command.kind === "reset") {
        await app.valves.endRun(device.id, number, mode);
        await resetSetting(database, device, number, mode);
      } else await changeSetting(database, device, number, command.setting);
      await app.delivery.send(device, number, [mode]);
      const key = device.channels.find((one) => one.number === number)?.key ?? "";
      ingest.outputs.changed(device.accountId, "channel", device.kind === "controller" ? Number(key) : key);
    }

    /** Give a failed write of a command to the log, and go on. */
    const orLog =
      <T>(log: App["log"], commandId: string, instead: T) =>
      (error: unknown): T => {
        log.warn({ event: "command-log-failed", err: error, commandId }, "cannot record command");
        return instead;
      };

    /** Return the result of a write, or `instead` where it takes too long for a close. */
    const soon = <T>(work: Promise<T>, instead: T): Promise<T> => {
      const late = Promise.withResolvers<T>();
      const waiting = timers.after(CLOSE_WAITS_MS, () => late.resolve(instead));
      return Promise.race([work.finally(() => waiting.cancel()), late.promise]);
    };

    /**
     * Record a command; it is executed even if that fails, because stopping water has priority. @returns the
     * entry, where there is one
     */
    async function remember(
      caller: Caller,
      device: KnownDevice,
      body: CommandBody,
      { number }: FarmCommand,
      commandId: string,
      log: App["log"],
    ): Promise<number | null> {
      const { command, payload } = body;
      const { account, scope } = caller;
      const entry = {
        ...{ actor: account, byRelay: scope === "relay", deviceId: device.id },
        ...{ number, command, payload: String(payload), commandId },
      };
      return await logCommand(database, entry, clock.now()).catch(orLog(log, commandId, null));
    }

    async function obey(
      caller: Caller,
      body: CommandBody,
      command: FarmCommand,
      { [REPLACES_HEADER]: replaces, "idempotency-key": givenKey }: Static<typeof CommandHeaders>,
      log: App["log"],
    ): Promise<Static<typeof CommandAnswer>> {
      const isClosing = command.kind === "valve" && command.valve.target === VALVE_OFF;
      if (caller.scope === "relay" && !isClosing) {
        throw new ApiError(403, "forbidden", "this token may close valves only");
      }
      const device = deviceOf(caller, body.uuid, command.number);
      const commandId = givenKey ?? randomUUID();
      const channel = `${device.id}/${command.number}`;
      if (isClosing && replaced.has(`${channel} ${commandId}`)) {
        throw new ApiError(409, "command-expired", "a newer opening came first; the valve was not closed");
      }
      if (command.kind === "valve" && !isClosing) replace(channel, replaces);
      const accountId = caller.account.id;
      if (command.kind === "valve" && !app.broker.isUp()) {
        throw new ApiError(503, "broker-down", "the broker cannot be reached");
      }
      const content = contentOf(body);
      const claiming = claimKey(database, { accountId, key: commandId, content }, clock.now());
      // An opening needs the store; a close is sent whatever the store does (AUTO-9).
      const claim = isClosing
        ? await soon(claiming.catch(orLog(log, commandId, "unknown" as const)), "unknown" as const)
        : await claiming;
      if (claim === "conflict") {
        throw new ApiError(409, "command-conflict", "this key belongs to another command");
      }
      // A command is executed once. A repeated close is sent again: it can only stop water.
      if (claim === "known" && !isClosing) return { commandId };
      const isKnown = claim === "known";
      const recording = isKnown ? null : remember(caller, device, body, command, commandId, log);
      const entry = recording && (await (isClosing ? soon(recording, null) : recording));
      try {
        await execute(device, command, commandId);
      } catch (error) {
        await releaseKey(database, accountId, commandId).catch(orLog(log, commandId, undefined));
        if (entry !== null) {
          await logRefusal(database, entry, codeOf(error)).catch(orLog(log, commandId, undefined));
        }
        if (!(error instanceof BrokerDownError)) throw error;
        throw new ApiError(503, "broker-down", "the broker cannot be reached", { retryAfter: 2 });
      }
      const { serial } = device;
      const { payload, command: name } = body;
      log.info(
        {
          event: "command-accepted",
          commandId,
          accountId,
          serial,
          number: command.number,
          command: name,
          payload,
        },
        "accepted command",
      );
      return { commandId };
    }

    for (const row of [controllerCommand, sensorCommand]) {
      const isLegacy = row === sensorCommand;
      app.route({
        ...routeOf(row, {
          tags: ["command"],
          summary: isLegacy ? "A command in the older form" : "Turn a valve, or reset a watering mode",
          headers: CommandHeaders,
        }),
        onRequest: app.authenticate,
        handler(request) {
          const command = farmCommandOf(request.body, isLegacy);
          return obey(callerOf(request), request.body, command, request.headers, request.log);
        },
      });
    }
  },
  { name: "command", dependencies: ["database", "broker", "watering", "auth", "errors"] },
);
