import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { provideBrowserParts } from "../testing/browser-parts.ts";

describe("[toaster]", () => {
  afterEach(cleanup);

  it("[toaster] shows the newest three messages created before the region was loaded", async () => {
    provideBrowserParts();
    // Reset modules: a freshly opened page has shown no toast.
    vi.resetModules();
    const { startTranslations } = await import("../i18n/translations.ts");
    await startTranslations(["app"]);
    const { toaster } = await import("./toaster.tsx");
    const { UiProvider } = await import("./provider.tsx");
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
