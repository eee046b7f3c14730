// @vitest-environment node

import { transportSuite } from "./testing/transport.suite.ts";
import { startWebSocketRelay } from "./testing/transport-relays.ts";
import { createWebSocketTransport } from "./websocket-transport.ts";

transportSuite("WebSocket transport of a browser", createWebSocketTransport, startWebSocketRelay);
