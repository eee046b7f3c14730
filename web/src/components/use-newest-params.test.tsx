import { act, cleanup, render, screen } from "@testing-library/react";
import { createMemoryRouter, MemoryRouter, RouterProvider, useLocation } from "react-router-dom";
import { afterEach, expect, it } from "vitest";
import { type ListAddress, useListAddress } from "./table-address.ts";

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
/** Type like a browser: does not wait for later renders. */
function type(text: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(box(), text);
  box().dispatchEvent(new Event("input", { bubbles: true }));
}

afterEach(() => {
  cleanup();
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
});

it("[table] keeps all of several quick changes in the address, whatever renders in between", () => {
  render(
    <MemoryRouter>
      <List />
    </MemoryRouter>,
  );
  act(() => {
    // All changes start from the address rendered before the first of them.
    const drawn = address;
    drawn.onText("2411");
    drawn.onSize(20);
    drawn.onSort({ key: "serial", descending: false });
  });
  expect(screen.getByRole("status").textContent).toBe("?q=2411&size=20&sort=serial");
});

it("[table] shows typed text in its input at once, before the router renders it", async () => {
  const router = createMemoryRouter([{ path: "*", element: <List /> }]);
  render(<RouterProvider router={router} />);
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false });
  for (const text of ["ㅌ", "토", "톡", "토야", "토양"]) {
    type(text);
    // Writing the old value back would break off the composed syllable.
    expect(box().value).toBe(text);
  }
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  await act(async () => undefined);
  expect(router.state.location.search).toBe(`?${new URLSearchParams({ q: "토양" })}`);
  expect(box().value).toBe("토양");
});

it("[table] follows the address after a link, back navigation and a reverted change", async () => {
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
