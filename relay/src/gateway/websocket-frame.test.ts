import { describe, expect, it } from "vitest";
import { textFrame } from "./outgoing.ts";

describe("textFrame", () => {
  it.each([
    [0, [0x81, 0]],
    [125, [0x81, 125]],
    [126, [0x81, 126, 0, 126]],
    [65_535, [0x81, 126, 0xff, 0xff]],
    [65_536, [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]],
  ])("[gateway] writes the RFC 6455 header of %i bytes", (length, head) => {
    const payload = Buffer.alloc(length, "물");
    const frame = textFrame(payload);
    expect([...frame.subarray(0, head.length)]).toEqual(head);
    expect(frame.subarray(head.length).equals(payload)).toBe(true);
  });
});
