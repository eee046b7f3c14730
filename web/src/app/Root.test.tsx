import { eventually } from "@mulkko/shared/testing/eventually";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { createMemoryRouter, Link, Outlet, RouterProvider, useSearchParams } from "react-router-dom";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createBrowserSession } from "../api/browser-session.ts";
import { createRestClient } from "../api/client.ts";
import { RestContext } from "../api/hooks.ts";
import { PageHeading } from "../components/page-heading.tsx";
import { UiProvider } from "../components/provider.tsx";
import { provideBrowserParts } from "../testing/browser-parts.ts";
import { speakKorean } from "../testing/speak-korean.ts";
import { Root } from "./Root.tsx";

function Frame() {
  return (
    <>
      <Link to="/farms">to the farms</Link>
      <Link to="/form">to the form</Link>
      <Link to="?show=1">another search</Link>
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
    </>
  );
}

function Farms() {
  const [params] = useSearchParams();
  return <PageHeading title={params.has("show") ? "North farm" : "Farms"} />;
}

const session = createBrowserSession();
const client = createRestClient({ accessToken: () => null, refresh: async () => null }, fetch);

describe("root route", () => {
  beforeEach(async () => {
    provideBrowserParts();
    await speakKorean();
    window.scrollTo = () => undefined;
    const pages = [
      { path: "/", element: <p>home</p>, handle: { title: "controller:title" } },
      { path: "/farms", element: <Farms />, handle: { title: "controller:title" } },
      // biome-ignore lint/a11y/noAutofocus: a form that takes the focus itself
      { path: "/form", element: <input aria-label="name" autoFocus /> },
    ];
    const router = createMemoryRouter([
      { element: <Root />, children: [{ element: <Frame />, children: pages }] },
    ]);
    render(
      <RestContext value={{ session, client }}>
        <RouterProvider router={router} />
      </RestContext>,
      { wrapper: UiProvider },
    );
  });
  afterEach(cleanup);

  const press = (name: string) => {
    const link = screen.getByRole("link", { name });
    link.focus();
    fireEvent.click(link);
  };

  it("[ui] moves the focus on a change of page, not on the first page or another search", async () => {
    expect(document.activeElement).not.toBe(screen.getByRole("main"));
    press("to the farms");
    await eventually(() => expect(document.activeElement).toBe(screen.getByRole("main")));
    press("another search");
    await eventually(() => expect(document.title).toContain("North farm"));
    expect(document.activeElement).toBe(screen.getByRole("link", { name: "another search" }));
  });

  it("[ui] keeps the focus of a page that takes it itself", async () => {
    press("to the form");
    await eventually(() => expect(document.activeElement).toBe(screen.getByRole("textbox")));
  });

  it("[ui] titles the document by the page's subject, else by its route", async () => {
    expect(document.title).toMatch(/^컨트롤러 · /);
    press("to the farms");
    await eventually(() => expect(document.title).toMatch(/^Farms · /));
    press("another search");
    await eventually(() => expect(document.title).toMatch(/^North farm · /));
  });
});
