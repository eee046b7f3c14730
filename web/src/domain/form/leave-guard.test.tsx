import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { UiProvider } from "../../components/provider.tsx";
import { provideBrowserParts } from "../../testing/browser-parts.ts";
import { speakKorean } from "../../testing/speak-korean.ts";
import { LeaveGuard } from "./leave-guard.tsx";
import { isPageHeld } from "./unsaved.ts";

describe("leave guard", () => {
  let router: ReturnType<typeof createMemoryRouter>;
  const show = (when: boolean) => {
    router = createMemoryRouter(
      [
        { path: "/edit", element: <LeaveGuard when={when} /> },
        { path: "/list", element: <p>list</p> },
      ],
      { initialEntries: ["/edit?id=1"] },
    );
    render(
      <UiProvider>
        <RouterProvider router={router} />
      </UiProvider>,
    );
  };
  const leave = (to: string) => act(() => router.navigate(to));
  beforeEach(async () => {
    provideBrowserParts();
    await speakKorean();
  });
  afterEach(cleanup);

  it("[form] asks before leaving a page with unsaved values", async () => {
    show(true);
    await leave("/list");
    expect(router.state.location.pathname).toBe("/edit");
    fireEvent.click(screen.getByRole("button", { name: "계속 입력" }));
    expect(screen.queryByRole("alertdialog")).toBeNull();
    expect(router.state.location.pathname).toBe("/edit");
    await leave("/list");
    await act(async () => fireEvent.click(screen.getByRole("button", { name: "저장하지 않고 나가기" })));
    expect(screen.getByText("list")).not.toBeNull();
    expect(isPageHeld()).toBe(false);
  });

  it("[form] focuses on staying first, and asks for another object on the same page too", async () => {
    show(true);
    await leave("/edit?id=2");
    expect(screen.getByRole("alertdialog", { name: "저장하지 않은 내용이 있습니다" })).not.toBeNull();
    await waitFor(() => expect(document.activeElement?.textContent).toBe("계속 입력"));
  });

  it("[form] lets the browser ask before the tab closes, only with unsaved values", async () => {
    const close = () => {
      const event = new Event("beforeunload", { cancelable: true });
      window.dispatchEvent(event);
      return event.defaultPrevented;
    };
    show(true);
    expect(close()).toBe(true);
    cleanup();
    show(false);
    expect(close()).toBe(false);
    await leave("/list");
    expect(router.state.location.pathname).toBe("/list");
  });
});
