/**
 * Baseline server for the relay: only `ws`, or Socket.IO. It forwards each publication of the broker to all
 * clients as it arrives.
 */
import { createServer } from "node:http";
import { topic } from "@mulkko/shared/mqtt/topics";
import { machineMs } from "@mulkko/testing/bench/figures";
import mqtt from "mqtt";
import { Server as SocketIoServer } from "socket.io";
import { WebSocket, WebSocketServer } from "ws";
import { answerParent } from "../child.ts";
import { ServerQuestion } from "./messages.ts";
import { cpuMs, memoryInUse } from "./process-figures.ts";

const http = createServer();

/** Send one message to all clients. */
type Send = (message: Buffer, isJson: boolean) => void;

function bareWs(): Send {
  const server = new WebSocketServer({ server: http, perMessageDeflate: false });
  return (message) => {
    for (const client of server.clients) {
      if (client.readyState === WebSocket.OPEN) client.send(message, { binary: false });
    }
  };
}

function plainSocketIo(): Send {
  const io = new SocketIoServer(http, {
    transports: ["websocket"],
    perMessageDeflate: false,
    httpCompression: false,
    serveClient: false,
  });
  return (message, isJson) => {
    const text = message.toString();
    const body: unknown = isJson ? JSON.parse(text) : text;
    io.emit("reading", body);
  };
}

const send = process.argv[2] === "plain Socket.IO" ? plainSocketIo() : bareWs();
let prepared: Buffer | undefined;
let writes: number[] = [];

function pass(message: Buffer): void {
  send(prepared ?? message, prepared === undefined);
  writes.push(machineMs());
}

const listening = (async (): Promise<number> => {
  await new Promise<void>((resolve) => {
    http.listen(0, "127.0.0.1", resolve);
  });
  if (process.env.RELAY_MQTT_URL !== undefined) {
    const broker = await mqtt.connectAsync(process.env.RELAY_MQTT_URL);
    broker.on("message", (_topic, payload) => pass(payload));
    await broker.subscribeAsync(topic.outAll, { qos: 0 });
  }
  const address = http.address();
  if (typeof address === "string" || address === null) throw new Error("no port");
  return address.port;
})();

answerParent(ServerQuestion, async (question) => {
  const port = await listening;
  switch (question.do) {
    case "listen":
      return { port };
    case "cpu":
      return { ms: cpuMs() };
    case "memory":
      return memoryInUse();
    case "note-writes":
      return {};
    case "name":
    case "close":
      throw new Error("a bare server has no nodes");
    case "writes": {
      const at = writes;
      writes = [];
      return { at };
    }
    case "prepare":
      prepared = Buffer.alloc(question.bytes, "x");
      return {};
    case "send":
      for (let count = 0; count < question.frames; count += 1) pass(Buffer.alloc(0));
      return {};
  }
});
