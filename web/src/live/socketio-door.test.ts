// @vitest-environment node
import { createSocketIoDoor } from "./socketio-door.ts";
import { doorSuite } from "./testing/door.suite.ts";
import { startSocketIoRelay } from "./testing/door-relays.ts";

doorSuite("the Socket.IO door of a browser", createSocketIoDoor, startSocketIoRelay);
