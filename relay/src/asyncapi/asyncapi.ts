import { CLOSE } from "@mulkko/shared/live/close-codes";
import { ChannelValue, ControllerValue, FarmValue, SensorValue } from "@mulkko/shared/live/devices";
import { FleetAccountValue, FleetCommandValue, FleetDeviceValue } from "@mulkko/shared/live/fleet";
import { LIVE_LIMITS, PROTOCOL } from "@mulkko/shared/live/limits";
import { MARKER_EVENT } from "@mulkko/shared/live/marker";
import { Watering } from "@mulkko/shared/live/watering";
import { relayPath } from "@mulkko/shared/rest/routes";
import fp from "fastify-plugin";
import { CLIENT_MESSAGES, type DescribedMessage, SERVER_MESSAGES } from "./messages.ts";

const closeCodes = Object.entries(CLOSE)
  .map(([name, code]) => `${code} ${name}`)
  .join(", ");

const DESCRIPTION = `Readings, valves and events of one account, live. The account comes from the access token of \`hello\`. An administrator may also subscribe the \`fleet\`, the devices of all accounts, and read another account by \`as\`.

Say \`hello\` within ${LIVE_LIMITS.helloMs / 1_000} s, wait for \`welcome\`, then \`subscribe\`. Keep the position (\`epoch\`, \`offset\`) of each stream: with it a new connection, at any node, gets what it has missed and nothing else. No message for ${LIVE_LIMITS.notLiveMs / 1_000} s means that the values are not live any more: connect again.

Close codes below 4500 ask to come back, those from 4500 on do not: ${closeCodes}.`;

/** The values of `devices` and `fleet` by the kind of their key, for type generators. */
const VALUES = {
  farm: FarmValue,
  sensor: SensorValue,
  controller: ControllerValue,
  channel: ChannelValue,
  watering: Watering,
  fleetDevice: FleetDeviceValue,
  fleetAccount: FleetAccountValue,
  fleetCommand: FleetCommandValue,
};

const refs = (messages: readonly DescribedMessage[], under: string) =>
  messages.map(({ name }) => ({ $ref: `#/${under}/${name}` }));

const channelMessages = Object.fromEntries(
  [...CLIENT_MESSAGES, ...SERVER_MESSAGES].map(({ name }) => [
    name,
    { $ref: `#/components/messages/${name}` },
  ]),
);

const transportOperations = (transport: string) => ({
  [`${transport}Receive`]: {
    action: "receive",
    channel: { $ref: `#/channels/${transport}` },
    summary: "Receive a message of a client",
    messages: refs(CLIENT_MESSAGES, `channels/${transport}/messages`),
  },
  [`${transport}Send`]: {
    action: "send",
    channel: { $ref: `#/channels/${transport}` },
    summary: "Send a message to a client",
    messages: refs(SERVER_MESSAGES, `channels/${transport}/messages`),
  },
});

/**
 * Build the live protocol as an AsyncAPI 3 document from the schemas that validate messages.
 *
 * @returns a plain JSON object
 */
export function asyncApiDocument(): object {
  return {
    asyncapi: "3.0.0",
    info: {
      title: "Mulkko, the live protocol",
      version: `${PROTOCOL}.0.0`,
      description: DESCRIPTION,
      license: { name: "MIT" },
    },
    defaultContentType: "application/json",
    channels: {
      plain: {
        address: relayPath.webSocket,
        title: "The WebSocket transport",
        description: `A WebSocket; one JSON text frame per message, at most ${LIVE_LIMITS.frameBytes} bytes from a client.`,
        messages: channelMessages,
        bindings: { ws: { method: "GET", bindingVersion: "0.1.0" } },
      },
      socketIo: {
        address: relayPath.socketIo,
        title: "The Socket.IO transport",
        description: `Socket.IO 4 over WebSocket or HTTP long-polling: the event's name is the message's \`t\`, its payload the message. The relay also emits \`${MARKER_EVENT}\`, without a message: call its acknowledgement at once.`,
        messages: channelMessages,
      },
    },
    operations: { ...transportOperations("plain"), ...transportOperations("socketIo") },
    components: {
      messages: Object.fromEntries(
        [...CLIENT_MESSAGES, ...SERVER_MESSAGES].map(({ name, summary, payload }) => [
          name,
          { name, title: name, summary, payload },
        ]),
      ),
      schemas: VALUES,
    },
  };
}

/** `GET /relay/asyncapi.json`: the live protocol, for readers and for client generators. */
export const asyncApiPlugin = fp(
  async (app) => {
    const document = JSON.stringify(asyncApiDocument());
    app.get(relayPath.asyncApi, async (_request, reply) => {
      reply.header("cache-control", "no-cache").type("application/json; charset=utf-8");
      return document;
    });
  },
  { name: "asyncapi", fastify: "5.x" },
);
