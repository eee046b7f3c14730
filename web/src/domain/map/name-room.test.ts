import { describe, expect, it } from "vitest";
import { freePlace, namesWithRoom } from "./marker-renderer.ts";

const name = (id: string, x: number, y: number) => ({ id, x, y, width: 40, height: 16 });
const ids = (names: readonly { id: string }[]) => names.map(({ id }) => id);

describe("names on the map", () => {
  it("[maps] keeps the earlier of two overlapping names and drops the later one", () => {
    expect(ids(namesWithRoom([name("a", 0, 0), name("b", 30, 0), name("c", 60, 0)]))).toEqual(["a", "c"]);
    expect(ids(namesWithRoom([name("a", 0, 0), name("b", 30, 30)]))).toEqual(["a", "b"]);
  });

  it("[maps] puts a farm's name where it covers no marker and is in view", () => {
    const view = { width: 200, height: 100 };
    const mark = { x: 100, y: 20, width: 24, height: 24 };
    const above = name("above", 100, 20);
    const right = name("right", 150, 60);
    const outside = name("outside", 195, 60);
    expect(freePlace([above, outside, right], [mark], view)?.id).toBe("right");
    expect(freePlace([above, outside], [mark], view)?.id).toBe("outside");
    expect(freePlace([above], [mark], view)).toBeUndefined();
    expect(freePlace([above, right], [], view)?.id).toBe("above");
  });

  it("[maps] limits the number of names", () => {
    const many = Array.from({ length: 1_000 }, (_, index) => name(`${index}`, index * 100, 0));
    expect(namesWithRoom(many)).toHaveLength(150);
  });
});
