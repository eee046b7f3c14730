import { eventually } from "@mulkko/shared/testing/eventually";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { createMemoryRouter, Link, Outlet, RouterProvider } from "react-router-dom";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { speakKorean } from "../testing/speak-korean.ts";
import { useRemembersWays } from "./back-navigation.ts";
import { ReturnLink } from "./page-heading.tsx";
import { UiProvider } from "./provider.tsx";

function Around() {
  useRemembersWays();
  return <Outlet />;
}

describe("back navigation", () => {
  beforeEach(speakKorean);
  afterEach(cleanup);

  const open = (first: string) => {
    const children = [
      { path: "/list", element: <Link to="/log?id=1">open</Link> },
      { path: "/log", element: <ReturnLink otherwise="/all" /> },
      { path: "/all", element: <p>all</p> },
    ];
    const router = createMemoryRouter([{ element: <Around />, children }], { initialEntries: [first] });
    render(<RouterProvider router={router} />, { wrapper: UiProvider });
    return router;
  };
  const back = () => screen.getByRole("link", { name: "뒤로" });

  it("[ui] leads to the previous page in its state, whatever address changes followed", async () => {
    const router = open("/list?chosen=1,2");
    fireEvent.click(screen.getByText("open"));
    await eventually(() => expect(back().getAttribute("href")).toBe("/list?chosen=1,2"));
    await act(() => router.navigate("/log?id=1&range=weeks", { replace: true }));
    expect(back().getAttribute("href")).toBe("/list?chosen=1,2");
    fireEvent.click(back());
    await eventually(() => expect(router.state.location.search).toBe("?chosen=1,2"));
    expect(router.state.historyAction).toBe("POP");
  });

  it("[ui] leads to the list for a user who came from elsewhere", () => {
    open("/log?id=1");
    expect(back().getAttribute("href")).toBe("/all");
  });
});
