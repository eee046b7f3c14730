import fc from "fast-check";
import { expect, test } from "vitest";
import { createPacketGuard } from "./packet-guard.ts";

function packet(length: number): Uint8Array {
  const header = [0x30];
  let rest = length;
  do {
    header.push((rest % 128) | (rest >= 128 ? 128 : 0));
    rest = Math.floor(rest / 128);
  } while (rest > 0);
  return Uint8Array.from([...header, ...Array.from({ length }, (_, index) => (index * 7) % 256)]);
}

function accepts(stream: Uint8Array, cuts: readonly number[], max: number): boolean {
  const guard = createPacketGuard(max);
  const places = [0, ...cuts.map((cut) => cut % (stream.length + 1)).sort((a, b) => a - b), stream.length];
  return places.slice(1).every((end, index) => guard(stream.subarray(places[index], end)));
}

test("[broker] refuses a stream exactly when one of its packets is too long, however it is split", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 1, maxLength: 6 }),
      fc.array(fc.nat(5_000), { maxLength: 8 }),
      fc.integer({ min: 0, max: 700 }),
      (lengths, cuts, max) => {
        const stream = Uint8Array.from(lengths.flatMap((length) => [...packet(length)]));
        expect(accepts(stream, cuts, max)).toBe(lengths.every((length) => length <= max));
      },
    ),
  );
});

test("[broker] refuses a five-byte length, which MQTT does not allow", () => {
  expect(createPacketGuard(256 * 1024)(Uint8Array.of(0x30, 0xff, 0xff, 0xff, 0xff, 0x7f))).toBe(false);
});

test("[broker] limits the first packet, which precedes authentication, separately", () => {
  const guard = createPacketGuard(500, 100);
  expect(guard(packet(100))).toBe(true);
  expect(guard(packet(500))).toBe(true);
  expect(guard(packet(501))).toBe(false);
  expect(createPacketGuard(500, 100)(packet(101))).toBe(false);
});
