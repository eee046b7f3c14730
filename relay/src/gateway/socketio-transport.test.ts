import { connectPolling, connectSocketIo } from "../../testing/live-client.ts";
import { describeTransport } from "./transport.suite.ts";

describeTransport("Socket.IO", connectSocketIo);
describeTransport("Socket.IO over polling", connectPolling);
