// @vitest-environment node

import { doorSuite } from "./testing/door.suite.ts";
import { startWebSocketRelay } from "./testing/door-relays.ts";
import { createWebSocketDoor } from "./websocket-door.ts";

doorSuite("the plain door of a browser", createWebSocketDoor, startWebSocketRelay);
