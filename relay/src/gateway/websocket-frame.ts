const FIN_TEXT = 0x81;
const LENGTH_IN_2_BYTES = 126;
const LENGTH_IN_8_BYTES = 127;

/**
 * Build a whole unmasked WebSocket text frame (RFC 6455), header and payload in one buffer. It is built once
 * and written to every connection unchanged.
 *
 * @param payload UTF-8 text
 */
export function textFrame(payload: Buffer): Buffer {
  const { length } = payload;
  const headLength = length <= 125 ? 2 : length <= 0xffff ? 4 : 10;
  const frame = Buffer.allocUnsafe(headLength + length);
  frame[0] = FIN_TEXT;
  if (headLength === 2) {
    frame[1] = length;
  } else if (headLength === 4) {
    frame[1] = LENGTH_IN_2_BYTES;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = LENGTH_IN_8_BYTES;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  payload.copy(frame, headLength);
  return frame;
}
