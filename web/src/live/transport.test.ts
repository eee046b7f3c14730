// @vitest-environment node
import { createSocketIoTransport } from "./socketio-transport.ts";
import { transportSuite } from "./testing/transport.suite.ts";
import {
  startPollingRelay,
  startSilentPollingRelay,
  startSocketIoRelay,
} from "./testing/transport-relays.ts";

transportSuite("Socket.IO transport of a browser", createSocketIoTransport, startSocketIoRelay);
transportSuite(
  "Socket.IO transport of a browser whose network refuses WebSockets",
  createSocketIoTransport,
  startPollingRelay,
);
transportSuite(
  "Socket.IO transport of a browser whose network answers no WebSocket",
  (origin) => createSocketIoTransport(origin, 200),
  startSilentPollingRelay,
);
