import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LANGUAGE_KEY } from "../../i18n/language.ts";
import { startTranslations } from "../../i18n/translations.ts";
import { provideBrowserParts } from "../../testing/browser-parts.ts";
import { StressMark } from "./stress-mark.tsx";

describe("[stress-mark]", () => {
  beforeEach(async () => {
    provideBrowserParts();
    localStorage.setItem(LANGUAGE_KEY, "en");
    await startTranslations(["app"]);
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });

  it("[spec 4] shows the level of a stress index as text, never by colour alone", () => {
    const spoken = [null, 60, 70, 99].map((stress) => {
      const { container, unmount } = render(<StressMark stress={stress} />);
      const text = container.textContent;
      unmount();
      return text;
    });
    expect(new Set(spoken).size).toBe(4);
    expect(spoken.every((text) => text !== null && text.length > 1)).toBe(true);
  });

  it("[spec 4] has the colour of the level", () => {
    render(<StressMark stress={60} />);
    const dot = screen.getByText(/\w/).querySelector<HTMLElement>(".stress-mark__dot");
    expect(dot?.style.background).toBe("rgb(140, 203, 126)");
  });
});
