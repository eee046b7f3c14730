import { act, render, screen } from "@testing-library/react";
import { MemoryRouter, useLocation } from "react-router-dom";
import { expect, it } from "vitest";
import { type ListAddress, useListAddress } from "./use-list-address.ts";

let address: ListAddress;
function List() {
  address = useListAddress();
  return <output>{useLocation().search}</output>;
}

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
