import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { provideBrowserParts } from "../../testing/browser-parts.ts";

describe("[toaster]", () => {
  afterEach(cleanup);

  it("[toaster] says what was to be said before anything to say it with had been fetched, newest three", async () => {
    provideBrowserParts();
    // As on a page that has just been opened: nothing has been said there yet.
    vi.resetModules();
    const { toaster } = await import("./toaster.tsx");
    const { UiProvider } = await import("../theme/provider.tsx");
    for (const title of ["one", "two", "three", "four"]) toaster.create({ type: "info", title });
    render(
      <UiProvider>
        <p>page</p>
      </UiProvider>,
    );
    const region = await screen.findByRole("region", { name: /notifications/i });
    for (const title of ["two", "three", "four"]) await within(region).findByText(title);
    expect(screen.queryByText("one")).toBeNull();
  });
});
