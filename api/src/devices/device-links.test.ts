import { expect, test } from "vitest";
import { linkOf } from "./device-links.ts";

test.each([
  [{ online: null, saidAt: null, heardAt: null }, "up"],
  [{ online: true, saidAt: 10, heardAt: null }, "up"],
  [{ online: false, saidAt: 10, heardAt: null }, "lost"],
  [{ online: false, saidAt: 10, heardAt: 9 }, "lost"],
  [{ online: false, saidAt: 10, heardAt: 10 }, "lost"],
  [{ online: false, saidAt: 10, heardAt: 11 }, "up"],
] as const)("[ONL-1] %o: the link is %s", (line, link) => {
  expect(linkOf(line)).toBe(link);
});
