import { describe, expect, it } from "vitest";
import { namesWithRoom } from "./name-room.ts";

const name = (id: string, x: number, y: number) => ({ id, x, y, width: 40, height: 16 });
const ids = (names: readonly { id: string }[]) => names.map(({ id }) => id);

describe("names on the map", () => {
  it("[maps] keeps the earlier of two overlapping names and drops the later one", () => {
    expect(ids(namesWithRoom([name("a", 0, 0), name("b", 30, 0), name("c", 60, 0)]))).toEqual(["a", "c"]);
    expect(ids(namesWithRoom([name("a", 0, 0), name("b", 30, 30)]))).toEqual(["a", "b"]);
  });

  it("[maps] limits the number of names", () => {
    const many = Array.from({ length: 1_000 }, (_, index) => name(`${index}`, index * 100, 0));
    expect(namesWithRoom(many)).toHaveLength(150);
  });
});
