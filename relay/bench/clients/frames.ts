const LENGTH_IN_2_BYTES = 126;
const LENGTH_IN_8_BYTES = 127;
const MASKED = 0x80;
const FIN = 0x80;

export const OPCODE = { text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

function headLength(short: number): number {
  if (short === LENGTH_IN_8_BYTES) return 10;
  return short === LENGTH_IN_2_BYTES ? 4 : 2;
}

function payloadLength(data: Buffer, at: number, short: number): number {
  if (short === LENGTH_IN_8_BYTES) return Number(data.readBigUInt64BE(at + 2));
  return short === LENGTH_IN_2_BYTES ? data.readUInt16BE(at + 2) : short;
}

/** Create a reader that extracts a server's frames, whole and unmasked, from the chunks of a socket. */
export function createFrameReader(
  onFrame: (opcode: number, payload: Buffer) => void,
): (chunk: Buffer) => void {
  let rest: Buffer | undefined;
  return (chunk) => {
    const data = rest ? Buffer.concat([rest, chunk]) : chunk;
    let at = 0;
    while (data.length - at >= 2) {
      const short = data.readUInt8(at + 1);
      const head = headLength(short);
      if (data.length - at < head) break;
      const end = at + head + payloadLength(data, at, short);
      if (data.length < end) break;
      onFrame(data.readUInt8(at) & 0x0f, data.subarray(at + head, end));
      at = end;
    }
    // A copy: a view would retain the whole chunk for each of thousands of sockets.
    rest = at === data.length ? undefined : Buffer.from(data.subarray(at));
  };
}

/** Return a client's frame of at most 64 KiB with a mask of zeros, which leaves the payload unchanged. */
export function clientFrame(opcode: number, payload: Buffer | string): Buffer {
  const body = Buffer.from(payload);
  const isShort = body.length < LENGTH_IN_2_BYTES;
  const head = Buffer.alloc(isShort ? 6 : 8);
  head[0] = FIN | opcode;
  head[1] = MASKED | (isShort ? body.length : LENGTH_IN_2_BYTES);
  if (!isShort) head.writeUInt16BE(body.length, 2);
  return Buffer.concat([head, body]);
}
