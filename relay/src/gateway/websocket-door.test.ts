import { connectWebSocket } from "../testing/live-client.ts";
import { describeDoor } from "./door.suite.ts";

describeDoor("plain WebSocket", connectWebSocket);
