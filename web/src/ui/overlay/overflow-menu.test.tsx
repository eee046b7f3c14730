import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { UiProvider } from "../provider.tsx";
import { OverflowMenu } from "./overflow-menu.tsx";

describe("overflow menu", () => {
  const chosen: string[] = [];
  beforeEach(() => {
    chosen.length = 0;
    const actions = ["key", "delete"].map((key) => ({
      key,
      label: key,
      onChoose: () => void chosen.push(key),
    }));
    render(<OverflowMenu label="more" actions={actions} />, { wrapper: UiProvider });
  });
  afterEach(cleanup);
  const trigger = () => screen.getByRole("button", { name: "more" });
  const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });

  it("[overlay] opens upwards if its end would be covered by a phone's navigation", () => {
    const real = HTMLElement.prototype.getBoundingClientRect;
    const layOut = (menuBottom: number, navigationTop: number) => {
      HTMLElement.prototype.getBoundingClientRect = function (this: HTMLElement) {
        if (this.getAttribute("role") === "menu") return new DOMRect(0, 0, 0, menuBottom);
        return new DOMRect(0, navigationTop, 0, 0);
      };
    };
    const navigation = document.createElement("nav");
    navigation.className = "bottom-nav";
    document.body.append(navigation);
    try {
      layOut(700, 780);
      fireEvent.click(trigger());
      expect(screen.getByRole("menu").dataset.opens).toBe("down");
      fireEvent.click(trigger());
      layOut(800, 780);
      fireEvent.click(trigger());
      expect(screen.getByRole("menu").dataset.opens).toBe("up");
    } finally {
      HTMLElement.prototype.getBoundingClientRect = real;
      navigation.remove();
    }
  });

  it("[overlay] moves through actions with the arrow keys, wrapping around, and selects one", () => {
    fireEvent.click(trigger());
    expect(document.activeElement?.textContent).toBe("key");
    press("ArrowDown");
    press("ArrowDown");
    expect(document.activeElement?.textContent).toBe("key");
    press("ArrowUp");
    expect(document.activeElement?.textContent).toBe("delete");
    fireEvent.click(screen.getByRole("menuitem", { name: "delete" }));
    expect(chosen).toEqual(["delete"]);
    expect(screen.queryByRole("menu")).toBeNull();
    expect(document.activeElement).toBe(trigger());
  });

  it("[overlay] closes on Escape and on a press beside it without an action", () => {
    fireEvent.click(trigger());
    press("Escape");
    expect(screen.queryByRole("menu")).toBeNull();
    expect(document.activeElement).toBe(trigger());
    fireEvent.click(trigger());
    fireEvent.pointerDown(document.body);
    expect(screen.queryByRole("menu")).toBeNull();
    expect(chosen).toEqual([]);
  });
});
