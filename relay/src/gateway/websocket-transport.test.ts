import { connectWebSocket } from "../../testing/live-client.ts";
import { describeTransport } from "./transport.suite.ts";

describeTransport("plain WebSocket", connectWebSocket);
