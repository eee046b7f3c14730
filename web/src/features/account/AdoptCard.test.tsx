import { relayPath } from "@mulkko/shared/rest/routes";
import { DEFAULT_SETTINGS } from "@mulkko/shared/rest/settings";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createBrowserSession } from "../../api/browser-session.ts";
import { createRestClient } from "../../api/client.ts";
import type { Fetch } from "../../api/http.ts";
import { RestProvider } from "../../api/queries.tsx";
import { UiProvider } from "../../components/provider.tsx";
import { LANGUAGE_KEY } from "../../i18n/language.ts";
import { startTranslations } from "../../i18n/translations.ts";
import { provideBrowserParts } from "../../testing/browser-parts.ts";
import { AdoptCard } from "./AccountSettings.tsx";

describe("adopt card", () => {
  beforeEach(async () => {
    provideBrowserParts();
    localStorage.setItem(LANGUAGE_KEY, "en");
    await startTranslations(["app"]);
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });
  const show = (fetcher: Fetch) => {
    const tokens = { accessToken: () => "token", refresh: async () => null };
    const rest = { session: createBrowserSession(), client: createRestClient(tokens, fetcher) };
    render(
      <UiProvider>
        <RestProvider rest={rest}>
          <AdoptCard />
        </RestProvider>
      </UiProvider>,
    );
  };
  const checkbox = () =>
    screen.findByRole<HTMLInputElement>("switch", { name: "Also close valves opened at the controller" });

  it("[RUN-3] shows the relay's setting and changes only when the relay confirms it", async () => {
    const sent: unknown[] = [];
    let answer: (response: Response) => void = () => undefined;
    show((path, init) => {
      expect(path).toBe(relayPath.settings);
      if (init.method === "GET") return Promise.resolve(new Response(JSON.stringify(DEFAULT_SETTINGS)));
      sent.push(JSON.parse(`${init.body}`));
      return new Promise((resolve) => {
        answer = resolve;
      });
    });
    fireEvent.click(await checkbox());
    expect([(await checkbox()).checked, (await checkbox()).disabled]).toEqual([false, true]);
    expect(sent).toEqual([{ adoptExternal: true }]);
    answer(new Response(JSON.stringify({ ...DEFAULT_SETTINGS, adoptExternal: true })));
    await screen.findByRole("switch", { checked: true });
  });

  it("[CMD-19] does not say that a change without an answer failed, and reads what is stored", async () => {
    let adoptExternal = false;
    show(async (_, init) => {
      if (init.method === "GET") return new Response(JSON.stringify({ ...DEFAULT_SETTINGS, adoptExternal }));
      adoptExternal = true;
      return new Response("{}", { status: 502 });
    });
    fireEvent.click(await checkbox());
    await screen.findByText(/It is not known whether this was done\./);
    await screen.findByRole("switch", { checked: true });
    expect(screen.queryByText(/could not be changed/)).toBeNull();
  });

  it("[RUN-3] makes no claim and keeps its space if the relay cannot tell, and asks again", async () => {
    let status = 503;
    show(async () => new Response(JSON.stringify(DEFAULT_SETTINGS), { status }));
    const title = screen.getByRole("heading", { name: "Valves opened at the controller" });
    expect(await screen.findByText("This setting is unknown right now.")).not.toBeNull();
    expect(screen.queryByRole("switch")).toBeNull();
    status = 200;
    fireEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect((await checkbox()).checked).toBe(false);
    expect(title.isConnected).toBe(true);
  });
});
