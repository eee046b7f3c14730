import fc from "fast-check";
import { expect, test } from "vitest";
import { displacedBy } from "./displaced-code.ts";

const codes = (...addresses: string[]) => addresses.map((address, n) => ({ code: `code-${n}`, address }));

test("[SHARE-1] a screen displaces the newest code of the home with most of them", () => {
  expect(displacedBy("10.0.0.9", codes("10.0.0.1", "10.0.0.2", "10.0.0.2", "10.0.0.3"))).toBe("code-2");
  const oneHome = ["2001:db8:1:201::1", "2001:db8:1:2ff::1", "10.0.0.2"];
  expect(displacedBy("10.0.0.9", codes(...oneHome))).toBe("code-1");
});

test("[SHARE-1] a home with as many codes as any other displaces none", () => {
  expect(displacedBy("10.0.0.1", codes("10.0.0.1", "10.0.0.2", "10.0.0.2"))).toBeNull();
  expect(displacedBy("10.0.0.9", codes("10.0.0.1", "10.0.0.2"))).toBeNull();
  expect(displacedBy("10.0.0.9", [])).toBeNull();
});

test("[SHARE-1] whatever others ask for, a home with fewer codes than its share gets one", () => {
  const most = 40;
  const address = fc.integer({ min: 0, max: 4 }).map((n) => `10.0.0.${n}`);
  fc.assert(
    fc.property(fc.array(address, { maxLength: 300 }), (asking) => {
      let waiting: { code: string; address: string }[] = [];
      for (const [n, one] of asking.entries()) {
        const own = waiting.filter((other) => other.address === one).length;
        if (waiting.length >= most) {
          const displaced = displacedBy(one, waiting);
          const share = most / new Set([...waiting.map((other) => other.address), one]).size;
          if (displaced === null) {
            expect(own + 1).toBeGreaterThanOrEqual(share);
            continue;
          }
          waiting = waiting.filter(({ code }) => code !== displaced);
        }
        waiting.push({ code: `code-${n}`, address: one });
        expect(waiting.length).toBeLessThanOrEqual(most);
      }
    }),
  );
});
