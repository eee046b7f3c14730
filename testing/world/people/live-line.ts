import type { Session as RelaySession } from "../../../relay/src/gateway/connection.ts";
import type { Transport } from "../../../web/src/live/transport.ts";
import { every } from "../../../web/src/wall/every.ts";
import { type Line, Wire } from "../network/line.ts";
import type { Process } from "../network/machine.ts";
import type { WorldTime } from "../network/world-time.ts";
import type { Relays } from "../servers/relays.ts";

/**
 * Create the transport of a page over a line to the relays.
 *
 * @param parts.onFrame called with the text of each message that reaches the page
 */
export function transportOver(parts: {
  readonly line: Line;
  readonly time: WorldTime;
  readonly relays: Relays;
  readonly process: Process;
  readonly onFrame: (text: string) => void;
}): Transport {
  const { line, time, relays, process, onFrame } = parts;
  return {
    open: (listener) => {
      let session: RelaySession | null = null;
      let isOver = false;
      const relay = relays.next();
      const closed = (): void => {
        if (isOver) return;
        isOver = true;
        listener.closed();
      };
      const wire = new Wire(
        line,
        time,
        { near: closed, far: () => session?.closed() },
        { isNew: true, far: relay.machine },
      );
      if (line.isCut || !relay.machine.isOn) {
        line.refuse(closed);
        wire.near.close();
      }
      let underWay = 0;
      // The server learns of its own end as of any other.
      const end = (): void => {
        wire.far.close();
        time.after(1, () => relay.machine.perform(() => session?.closed()));
      };
      wire.near.send(() => {
        const open = relay.openSession;
        if (!open) {
          wire.far.close();
          return;
        }
        session = open({
          transport: "socketio",
          bufferedAmount: () => underWay,
          send: ({ bytes }) => {
            underWay += bytes.byteLength;
            const text = bytes.toString();
            wire.far.send(() => {
              underWay -= bytes.byteLength;
              if (isOver || !process.isAlive()) return;
              onFrame(text);
              listener.message(JSON.parse(text));
            });
          },
          mark: (marker) =>
            wire.far.send(() => {
              if (!isOver) wire.near.send(() => session?.confirmed(marker));
            }),
          close: end,
          terminate: end,
        });
        wire.far.send(() => {
          if (!isOver) listener.opened();
        });
      });
      return {
        send: (message) => {
          const copy: unknown = JSON.parse(JSON.stringify(message));
          wire.near.send(() => session?.receive(copy));
        },
        close() {
          isOver = true;
          wire.near.close();
        },
      };
    },
  };
}

const FRAME_MS = 16;

/** Return what a page needs of its browser, on a process: its timers, its clock, its frames. */
export function pageEdges(process: Process) {
  const { clock, timers } = process;
  return {
    clock,
    timers,
    nextFrame: (flush: () => void) => void timers.after(FRAME_MS, flush),
    every: (ms: number, run: () => void) => every(timers, ms, run),
  };
}
