import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LANGUAGE_KEY } from "../i18n/language.ts";
import { startTranslations } from "../i18n/translations.ts";
import { provideBrowserParts } from "../testing/browser-parts.ts";
import { LanguageSwitch } from "./language-switch.tsx";
import { UiProvider } from "./provider.tsx";

describe("[language-switch]", () => {
  beforeEach(async () => {
    provideBrowserParts();
    localStorage.setItem(LANGUAGE_KEY, "ko");
    await startTranslations(["app"]);
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });

  it("[i18n] applies a chosen language at once, stores it and sets the page's language", async () => {
    render(
      <UiProvider>
        <LanguageSwitch />
      </UiProvider>,
    );
    expect(screen.getByRole("radiogroup", { name: "언어" })).not.toBeNull();
    fireEvent.click(screen.getByRole("radio", { name: "English" }));
    await waitFor(() => expect(screen.getByRole("radiogroup", { name: "Language" })).not.toBeNull());
    expect(localStorage.getItem(LANGUAGE_KEY)).toBe("en");
    expect(document.documentElement.lang).toBe("en");
  });
});
