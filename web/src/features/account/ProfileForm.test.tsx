import type { Account } from "@mulkko/shared/entities/account";
import { accountInfo, accountLogin } from "@mulkko/shared/rest/operations/account";
import { buildAccount } from "@mulkko/shared/testing/builders";
import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import i18next from "i18next";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRestClient } from "../../api/client.ts";
import { RestContext } from "../../api/hooks.ts";
import type { Fetch } from "../../api/http.ts";
import { createSession } from "../../api/session.ts";
import { UiProvider } from "../../components/provider.tsx";
import { LANGUAGE_KEY } from "../../i18n/language.ts";
import { startTranslations } from "../../i18n/translations.ts";
import { provideBrowserParts } from "../../testing/browser-parts.ts";
import { ProfileForm } from "./AccountPage.tsx";

describe("profile form", () => {
  let account: Account;
  let refusal: Response | null;
  let sent: Record<string, unknown>[];
  let changedElsewhere: Partial<Account> | null;
  let versions: (string | null)[];
  let router: ReturnType<typeof createMemoryRouter>;

  /** Farm API that stores what it receives. */
  const fetcher: Fetch = async (path, init) => {
    if (path === accountInfo.path) return new Response(JSON.stringify(account));
    if (path === accountLogin.path)
      return new Response(JSON.stringify({ accessToken: "a", refreshToken: "r" }));
    if (refusal) return refusal;
    versions.push(new Headers(init.headers).get("if-match"));
    if (changedElsewhere) {
      account = { ...account, ...changedElsewhere };
      changedElsewhere = null;
      const body = { status: 412, error: "", code: "changed-meanwhile", message: "" };
      return new Response(JSON.stringify(body), { status: 412 });
    }
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
  const input = (name: string) => document.querySelector<HTMLInputElement>(`[name=${name}]`);
  const type = (name: string, value: string) => {
    const element = input(name);
    if (!element) throw new Error(`there is no ${name}`);
    fireEvent.change(element, { target: { value } });
  };
  const save = () =>
    act(async () => fireEvent.click(document.querySelector("button[type=submit]") ?? document.body));

  beforeEach(async () => {
    provideBrowserParts();
    localStorage.setItem(LANGUAGE_KEY, "en");
    await startTranslations(["app"]);
    account = buildAccount({ language: "KO", emailNotification: false });
    refusal = null;
    changedElsewhere = null;
    versions = [];
    sent = [];
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });

  it("[spec 1] updates the shared account state and navigates to the dashboard without a question", async () => {
    const session = await show();
    type("nickname", "Daon");
    type("timezone", "America/New_York");
    await save();
    expect(await screen.findByText("dashboard")).not.toBeNull();
    expect(sent).toEqual([
      expect.objectContaining({ nickname: "Daon", timezone: "America/New_York", emailNotification: false }),
    ]);
    expect(session.store.getState()).toMatchObject({ account: { nickname: "Daon" } });
    // The account's own language is Korean and unchanged: the page keeps its language.
    expect(i18next.language).toBe("en");
  });

  it("[spec 1] keeps everything as typed after a refusal, with the server's sentence at its field", async () => {
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
    expect(input("phone")?.value).toBe("not a phone");
    expect(router.state.location.pathname).toBe("/account");
  });

  it("[versions] sends only changes, for the version that was read, and shows both values of a conflict", async () => {
    account = { ...account, version: "v1" };
    await show();
    type("phone", "010-2");
    changedElsewhere = { version: "v2", phone: "010-1", nickname: "Daon" };
    await save();
    expect(sent).toEqual([]);
    const note = (await screen.findByText("Yours: 010-2")).closest("[role=status]");
    expect(note?.textContent).toContain("010-1");
    expect(input("nickname")?.value).toBe("Daon");
    await act(async () => fireEvent.click(screen.getByRole("button", { name: "Keep mine" })));
    await save();
    expect(await screen.findByText("dashboard")).not.toBeNull();
    expect(sent).toEqual([{ phone: "010-2" }]);
    expect(versions).toEqual(['"v1"', '"v2"']);
  });

  it("[account] switches the page to a changed language", async () => {
    await show();
    type("language", "ZH");
    await save();
    await waitFor(() => expect(i18next.language).toBe("zh"));
    expect(sent).toEqual([expect.objectContaining({ language: "zh" })]);
  });
});
