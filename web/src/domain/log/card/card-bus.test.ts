import { describe, expect, it } from "vitest";
import { createCardBus } from "./board-cards.ts";

describe("card bus", () => {
  it("[log] shows one card's crosshair on all others and removes it with the pointer", () => {
    const bus = createCardBus<number>();
    const received: string[] = [];
    bus.listen("a", (instant) => received.push(`a ${instant}`));
    const stop = bus.listen("b", (instant) => received.push(`b ${instant}`));
    bus.tell("a", 60);
    bus.tell("a", null);
    bus.tell("b", null);
    stop();
    bus.tell("b", 120);
    expect(received).toEqual(["b 60", "b null", "a 120"]);
  });
});
