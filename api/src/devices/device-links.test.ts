import { expect, test } from "vitest";
import { linkOf } from "./device-links.ts";

test.each([
  [{ online: null, saidArrival: null, receivedArrival: null }, "up"],
  [{ online: true, saidArrival: 10, receivedArrival: null }, "up"],
  [{ online: false, saidArrival: 10, receivedArrival: null }, "lost"],
  [{ online: false, saidArrival: 10, receivedArrival: 9 }, "lost"],
  [{ online: false, saidArrival: 10, receivedArrival: 10 }, "lost"],
  [{ online: false, saidArrival: 10, receivedArrival: 11 }, "up"],
] as const)("[ONL-1] %o: the link is %s", (line, link) => {
  expect(linkOf(line)).toBe(link);
});
