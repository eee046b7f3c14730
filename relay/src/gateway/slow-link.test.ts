import { connectPolling, connectSocketIo, connectWebSocket } from "../../testing/live-client.ts";
import { describeSlowLink } from "./slow-link.suite.ts";

describeSlowLink("plain WebSocket", connectWebSocket);
describeSlowLink("Socket.IO", connectSocketIo);
describeSlowLink("Socket.IO over polling", connectPolling);
