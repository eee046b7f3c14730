import type { Socket } from "node:net";
import { MAX_CONNECT_BYTES } from "./limits.ts";

/**
 * Largest MQTT packet, bytes: larger than an accepted message, so that an oversized message can still be
 * recorded.
 */
export const MAX_PACKET_BYTES = 256 * 1024;

/**
 * Check the packet lengths that a stream announces, without keeping its bytes.
 *
 * @returns a function for each chunk, false once a packet is longer than `max`, or the first longer than
 * `maxFirst`
 */
export function createPacketGuard(max: number, maxFirst = max): (chunk: Uint8Array) => boolean {
  let most = maxFirst;
  let body = 0;
  let inHeader = false;
  let length = 0;
  let shift = 1;

  return (chunk) => {
    let place = 0;
    while (place < chunk.length) {
      if (body > 0) {
        const step = Math.min(body, chunk.length - place);
        body -= step;
        place += step;
        continue;
      }
      const byte = chunk[place] ?? 0;
      place += 1;
      if (!inHeader) {
        inHeader = true;
        length = 0;
        shift = 1;
        continue;
      }
      length += (byte & 127) * shift;
      shift *= 128;
      if (length > most) return false;
      if (byte >= 128) continue;
      inHeader = false;
      most = max;
      body = length;
    }
    return true;
  };
}

/** End a connection as soon as it announces an oversized packet, before its bytes are buffered. */
export function guardSocket(socket: Socket, max = MAX_PACKET_BYTES): void {
  const guard = createPacketGuard(max, MAX_CONNECT_BYTES);
  const push = socket.push.bind(socket);
  // The broker reads the socket itself; our own listener would take bytes from it.
  socket.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
    if (chunk instanceof Uint8Array && !guard(chunk)) {
      socket.destroy();
      return false;
    }
    return push(chunk, encoding);
  };
}
