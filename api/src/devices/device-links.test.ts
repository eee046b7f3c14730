import { expect, test } from "vitest";
import { linkOf } from "./device-links.ts";

test.each([
  [{ online: null, saidArrival: null, heardArrival: null }, "up"],
  [{ online: true, saidArrival: 10, heardArrival: null }, "up"],
  [{ online: false, saidArrival: 10, heardArrival: null }, "lost"],
  [{ online: false, saidArrival: 10, heardArrival: 9 }, "lost"],
  [{ online: false, saidArrival: 10, heardArrival: 10 }, "lost"],
  [{ online: false, saidArrival: 10, heardArrival: 11 }, "up"],
] as const)("[ONL-1] %o: the link is %s", (line, link) => {
  expect(linkOf(line)).toBe(link);
});
