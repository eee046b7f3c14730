import { act, cleanup, render, screen } from "@testing-library/react";
import { createMemoryRouter, MemoryRouter, RouterProvider, useLocation } from "react-router-dom";
import { afterEach, expect, it } from "vitest";
import { type ListAddress, useListAddress } from "./use-list-address.ts";

let address: ListAddress;
function List() {
  address = useListAddress();
  return (
    <>
      <input value={address.text} onChange={(event) => address.onText(event.target.value)} />
      <output>{useLocation().search}</output>
    </>
  );
}

const box = () => screen.getByRole<HTMLInputElement>("textbox");
/** As the browser does it: nobody waits for what is drawn later. */
function type(text: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(box(), text);
  box().dispatchEvent(new Event("input", { bubbles: true }));
}

afterEach(() => {
  cleanup();
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
});

it("[table] changes in quick succession all stay in the address, whatever is drawn in between", () => {
  render(
    <MemoryRouter>
      <List />
    </MemoryRouter>,
  );
  act(() => {
    // All by what was drawn before the first of them.
    const drawn = address;
    drawn.onText("2411");
    drawn.onSize(20);
    drawn.onSort({ key: "serial", descending: false });
  });
  expect(screen.getByRole("status").textContent).toBe("?q=2411&size=20&sort=serial");
});

it("[table] what somebody types stands in its box at once, before the router has drawn it", async () => {
  const router = createMemoryRouter([{ path: "*", element: <List /> }]);
  render(<RouterProvider router={router} />);
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false });
  for (const text of ["ㅌ", "토", "톡", "토야", "토양"]) {
    type(text);
    // Written back to what it was, the box would break the syllable off.
    expect(box().value).toBe(text);
  }
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  await act(async () => undefined);
  expect(router.state.location.search).toBe(`?${new URLSearchParams({ q: "토양" })}`);
  expect(box().value).toBe("토양");
});

it("[table] a link, the way back and a change that was taken back show what the address says", async () => {
  const router = createMemoryRouter([{ path: "*", element: <List /> }]);
  render(<RouterProvider router={router} />);
  await act(async () => router.navigate("/?q=soil"));
  expect(box().value).toBe("soil");
  await act(async () => {
    type("so");
    type("soil");
  });
  await act(async () => router.navigate("/?q=so"));
  expect(box().value).toBe("so");
  await act(async () => router.navigate(-1));
  expect(box().value).toBe("soil");
});
