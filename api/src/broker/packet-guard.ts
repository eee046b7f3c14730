import type { Socket } from "node:net";

/** Largest MQTT packet, bytes: more than a message may be, so that a too large one can still be set aside. */
export const MAX_PACKET_BYTES = 256 * 1024;

/**
 * Watches the packet lengths that a stream announces, without keeping its bytes.
 *
 * @returns a function that is given each chunk, and answers false once a packet is longer than `max`
 */
export function createPacketGuard(max: number): (chunk: Uint8Array) => boolean {
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
      if (length > max) return false;
      if (byte >= 128) continue;
      inHeader = false;
      body = length;
    }
    return true;
  };
}

/** Ends a connection as soon as it announces a packet that is too long, before its bytes are gathered. */
export function guardSocket(socket: Socket, max = MAX_PACKET_BYTES): void {
  const guard = createPacketGuard(max);
  const push = socket.push.bind(socket);
  // The broker reads the socket itself; a listener of ours would take bytes from it.
  socket.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
    if (chunk instanceof Uint8Array && !guard(chunk)) {
      socket.destroy();
      return false;
    }
    return push(chunk, encoding);
  };
}
