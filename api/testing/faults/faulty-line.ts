import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** `silent`: connections stay open but transfer nothing, as with a stopped or unplugged server. */
type LineState = "whole" | "cut" | "silent";

/** A TCP proxy to a server, with faults. */
export interface FaultyLine {
  readonly port: number;
  become(state: LineState): void;
  close(): Promise<void>;
}

export async function openFaultyLine(target: {
  readonly host: string;
  readonly port: number;
}): Promise<FaultyLine> {
  const ends = new Set<Socket>();
  let state: LineState = "whole";
  const keep = (socket: Socket): Socket => {
    ends.add(socket);
    socket.once("close", () => ends.delete(socket));
    socket.on("error", () => socket.destroy());
    return socket;
  };
  const server = createServer((near) => {
    keep(near);
    if (state === "cut") return near.destroy();
    const far = keep(connect(target));
    near.pipe(far).pipe(near);
    near.once("close", () => far.destroy());
    far.once("close", () => near.destroy());
    if (state === "silent") for (const end of [near, far]) end.pause();
    return undefined;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    become(next) {
      state = next;
      for (const end of ends) {
        if (next === "cut") end.destroy();
        else if (next === "silent") end.pause();
        else end.resume();
      }
    },
    async close() {
      server.close();
      for (const end of ends) end.destroy();
      await once(server, "close");
    },
  };
}
