import { act, cleanup, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startI18n } from "../../i18n/index.ts";
import { provideBrowserParts } from "../../testing/browser-parts.ts";
import { UiProvider } from "../provider.tsx";
import { toaster } from "./toaster.tsx";

describe("[toaster]", () => {
  beforeEach(async () => {
    provideBrowserParts();
    await startI18n();
  });
  afterEach(() => {
    toaster.remove();
    cleanup();
  });

  it("[toaster] shows a message that came before its region was loaded", async () => {
    toaster.create({ type: "info", title: "early" });
    render(
      <UiProvider>
        <p>page</p>
      </UiProvider>,
    );
    await screen.findByText("early");
  });

  it("[toaster] shows three messages at once, and the next one when a place is free", async () => {
    render(
      <UiProvider>
        <p>page</p>
      </UiProvider>,
    );
    const ids = await act(async () =>
      ["one", "two", "three", "four"].map((title) => toaster.create({ type: "info", title })),
    );
    const region = await screen.findByRole("region", { name: /notifications/i });
    for (const title of ["one", "two", "three"]) await within(region).findByText(title);
    expect(screen.queryByText("four")).toBeNull();
    act(() => toaster.remove(ids[0]));
    await waitFor(() => within(region).getByText("four"));
  });
});
