import { connectSocketIo } from "../testing/live-client.ts";
import { describeDoor } from "./door.suite.ts";

describeDoor("Socket.IO", connectSocketIo);
