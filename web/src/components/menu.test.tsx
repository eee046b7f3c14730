import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { provideBrowserParts } from "../testing/browser-parts.ts";
import { speakKorean } from "../testing/speak-korean.ts";
import { OverflowMenu } from "./menu.tsx";
import { UiProvider } from "./provider.tsx";

describe("overflow menu", () => {
  const chosen: string[] = [];
  beforeEach(async () => {
    provideBrowserParts();
    await speakKorean();
    chosen.length = 0;
    const actions = ["key", "delete"].map((key) => ({
      key,
      label: key,
      onChoose: () => void chosen.push(key),
    }));
    render(
      <UiProvider>
        <OverflowMenu label="more" actions={actions} />
      </UiProvider>,
    );
  });
  afterEach(cleanup);

  it("[overlay] moves through actions with the arrow keys, and selects one", async () => {
    fireEvent.click(screen.getByRole("button", { name: "more" }));
    const menu = await screen.findByRole("menu", { name: "more" });
    const active = () => document.getElementById(menu.getAttribute("aria-activedescendant") ?? "");
    for (const name of ["key", "delete"]) {
      fireEvent.keyDown(menu, { key: "ArrowDown" });
      await waitFor(() => expect(active()?.textContent).toBe(name));
    }
    fireEvent.keyDown(menu, { key: "Enter" });
    await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
    expect(chosen).toEqual(["delete"]);
  });

  it("[overlay] closes on Escape without an action", async () => {
    fireEvent.click(screen.getByRole("button", { name: "more" }));
    const menu = await screen.findByRole("menu", { name: "more" });
    await waitFor(() => {
      // The menu listens a frame after it is shown.
      fireEvent.keyDown(menu, { key: "Escape" });
      expect(screen.queryByRole("menu")).toBeNull();
    });
    expect(chosen).toEqual([]);
  });
});
