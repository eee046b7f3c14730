import type { Account } from "@mulkko/shared/entities/account";
import { apiPath } from "@mulkko/shared/rest/routes";
import { buildAccount } from "@mulkko/shared/testing/builders";
import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import i18next from "i18next";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startI18n } from "../../i18n/index.ts";
import { LANGUAGE_KEY } from "../../i18n/language.ts";
import { loadWords } from "../../i18n/words.ts";
import { createRestClient } from "../../rest/client.ts";
import { RestContext } from "../../rest/hooks.ts";
import type { Fetch } from "../../rest/http.ts";
import { createSession } from "../../rest/session.ts";
import { provideBrowserParts } from "../../testing/browser-parts.ts";
import { UiProvider } from "../../ui/theme/provider.tsx";
import { ProfileForm } from "./ProfileForm.tsx";

describe("profile form", () => {
  let account: Account;
  let refusal: Response | null;
  let sent: Record<string, unknown>[];
  let router: ReturnType<typeof createMemoryRouter>;

  /** A farm API that keeps what it is told. */
  const fetcher: Fetch = async (path, init) => {
    if (path === apiPath.accountInfo) return new Response(JSON.stringify(account));
    if (path === apiPath.login) return new Response(JSON.stringify({ accessToken: "a", refreshToken: "r" }));
    if (refusal) return refusal;
    const body = JSON.parse(`${init.body}`);
    sent.push(body);
    account = { ...account, ...body };
    return new Response("");
  };

  const show = async () => {
    const entries = new Map<string, string>();
    const session = createSession({
      fetch: fetcher,
      storage: {
        readAuthUser: () => null,
        writeAuthUser: () => undefined,
        readRefreshToken: () => entries.get("refresh") ?? null,
        writeRefreshToken: (token) => void entries.set("refresh", token),
        clear: () => entries.clear(),
      },
      channel: { tell: () => undefined, listen: () => undefined },
      lock: { run: (work) => work() },
      wait: () => Promise.resolve(),
      waitForNetwork: () => Promise.resolve(),
    });
    await session.login("farmer", "good");
    const rest = { session, client: createRestClient(session, fetcher) };
    router = createMemoryRouter(
      [
        { path: "/account", element: <ProfileForm /> },
        { path: "/dashboard", element: <p>dashboard</p> },
      ],
      { initialEntries: ["/account"] },
    );
    render(
      <UiProvider>
        <RestContext value={rest}>
          <RouterProvider router={router} />
        </RestContext>
      </UiProvider>,
    );
    return session;
  };
  const box = (name: string) => document.querySelector<HTMLInputElement>(`[name=${name}]`);
  const type = (name: string, value: string) => {
    const element = box(name);
    if (!element) throw new Error(`there is no ${name}`);
    fireEvent.change(element, { target: { value } });
  };
  const save = () =>
    act(async () => fireEvent.click(document.querySelector("button[type=submit]") ?? document.body));

  beforeEach(async () => {
    provideBrowserParts();
    localStorage.setItem(LANGUAGE_KEY, "en");
    await startI18n();
    await loadWords(["account"]);
    account = buildAccount({ language: "KO", emailNotification: false });
    refusal = null;
    sent = [];
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });

  it("[spec 1] saving changes the account that everybody sees, and leads to the dashboard without a question", async () => {
    const session = await show();
    type("nickname", "Daon");
    type("timezone", "America/New_York");
    await save();
    expect(await screen.findByText("dashboard")).not.toBeNull();
    expect(sent).toEqual([
      expect.objectContaining({ nickname: "Daon", timezone: "America/New_York", emailNotification: false }),
    ]);
    expect(session.store.getState()).toMatchObject({ account: { nickname: "Daon" } });
    // The account's own language is Korean and was not changed: the page speaks on as it did.
    expect(i18next.language).toBe("en");
  });

  it("[spec 1] a refusal leaves everything as it was typed, with the server's sentence at its field", async () => {
    await show();
    type("phone", "not a phone");
    refusal = new Response(
      JSON.stringify({
        status: 422,
        error: "",
        code: "validation",
        message: "",
        errors: [{ field: "phone", defaultMessage: "The phone number is odd." }],
      }),
      { status: 422 },
    );
    await save();
    expect(screen.getByRole("alert").textContent).toContain("The phone number is odd.");
    expect(box("phone")?.value).toBe("not a phone");
    expect(router.state.location.pathname).toBe("/account");
  });

  it("[account] a changed language is spoken by the page as well", async () => {
    await show();
    type("language", "ZH");
    await save();
    await waitFor(() => expect(i18next.language).toBe("zh"));
    expect(sent).toEqual([expect.objectContaining({ language: "ZH" })]);
  });
});
