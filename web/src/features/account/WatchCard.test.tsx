import { relayPath } from "@mulkko/shared/rest/routes";
import type { WatchState } from "@mulkko/shared/rest/watch";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createBrowserSession } from "../../api/browser-session.ts";
import { createRestClient } from "../../api/client.ts";
import { RestProvider } from "../../api/queries.tsx";
import { UiProvider } from "../../components/provider.tsx";
import { LANGUAGE_KEY } from "../../i18n/language.ts";
import { startTranslations } from "../../i18n/translations.ts";
import { provideBrowserParts } from "../../testing/browser-parts.ts";
import { WatchCard } from "./AccountSettings.tsx";

const BY_SIGN_IN: WatchState = { by: "sign-in", ended: null, mayStart: false };

describe("[watch-card]", () => {
  let answers: Map<string, WatchState | number>;
  let asked: string[];

  beforeEach(async () => {
    provideBrowserParts();
    localStorage.setItem(LANGUAGE_KEY, "en");
    await startTranslations(["app"]);
    answers = new Map([[relayPath.watch, BY_SIGN_IN]]);
    asked = [];
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });

  function show(): void {
    const fetcher = async (path: string): Promise<Response> => {
      asked.push(path);
      const answer = answers.get(path) ?? 404;
      if (typeof answer === "number") return new Response("", { status: answer });
      return new Response(JSON.stringify(answer));
    };
    const tokens = { accessToken: () => "token", refresh: async () => null };
    const client = createRestClient(tokens, fetcher);
    render(
      <UiProvider>
        <RestProvider rest={{ session: createBrowserSession(), client }}>
          <WatchCard />
        </RestProvider>
      </UiProvider>,
    );
  }

  it("[CRED-1] shows that the farm is watched and stops only after a confirmation", async () => {
    answers.set(relayPath.stopWatching, { by: "nobody", ended: "stopped", mayStart: false });
    show();
    expect(await screen.findByText(/even when no one is logged in/)).not.toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "Switch monitoring off" }));
    const confirm = await screen.findByRole("button", { name: "Switch off" });
    expect(asked).toEqual([relayPath.watch]);
    fireEvent.click(confirm);
    expect(
      await screen.findByText("Off: the farm is not monitored when no one is logged in."),
    ).not.toBeNull();
    expect(screen.getByText("You switched monitoring off.")).not.toBeNull();
    expect(asked).toEqual([relayPath.watch, relayPath.stopWatching]);
  });

  it("[CRED-1] shows why watching ended and offers to start it if possible", async () => {
    answers.set(relayPath.watch, { by: "nobody", ended: "stopped", mayStart: true });
    answers.set(relayPath.startWatching, { by: "relay-session", ended: null, mayStart: false });
    show();
    fireEvent.click(await screen.findByRole("button", { name: "Switch monitoring on" }));
    expect(await screen.findByText(/even when no one is logged in/)).not.toBeNull();
  });

  it("[CRED-1] promises no watching where the farm API has refused the relay's session", async () => {
    answers.set(relayPath.watch, { by: "nobody", ended: "refused", mayStart: false });
    show();
    expect(await screen.findByText(/only one session per account.*not possible/)).not.toBeNull();
    expect(screen.queryByText(/log in again to continue/i)).toBeNull();
  });

  it("[CRED-1] makes no claim and keeps its space if the relay cannot tell, and asks again", async () => {
    answers.set(relayPath.watch, 503);
    show();
    const title = screen.getByRole("heading");
    expect(await screen.findByText(/is unknown right now/)).not.toBeNull();
    expect(screen.queryByRole("button", { name: /watch/i })).toBeNull();
    answers.set(relayPath.watch, BY_SIGN_IN);
    fireEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText(/even when no one is logged in/)).not.toBeNull();
    expect(title.isConnected).toBe(true);
  });
});
