import { expect, it } from "vitest";
import { devicesOf } from "./listed-users.ts";

const user = (id: string, deviceCount?: number) => ({
  id,
  username: id,
  ...(deviceCount === undefined ? {} : { deviceCount }),
});

it("[admin] counts the devices deleted with accounts if the API reports them for every account", () => {
  expect(devicesOf([user("a", 2), user("b", 3), user("c", 0)])).toBe(5);
  expect(devicesOf([user("a", 2), user("b")])).toBeNull();
});
