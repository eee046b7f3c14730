import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { useState } from "react";
import { MemoryRouter, useLocation } from "react-router-dom";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LANGUAGE_KEY } from "../i18n/language.ts";
import { startTranslations } from "../i18n/translations.ts";
import { provideBrowserParts } from "../testing/browser-parts.ts";
import { UiProvider } from "./provider.tsx";
import { DataTable, type TableColumn } from "./table.tsx";
import { PAGE_SIZES, useListAddress, useTableAddress } from "./table-address.ts";

interface Row {
  readonly id: string;
  readonly name: string;
  readonly moisture: number | null;
}

const COLUMNS: readonly TableColumn<Row>[] = [
  { key: "name", head: "Name", cell: ({ name }) => name, sort: ({ name }) => name },
  {
    key: "moisture",
    head: "Moisture",
    cell: ({ moisture }) => moisture ?? "--",
    sort: ({ moisture }) => moisture,
    numeric: true,
  },
  { key: "actions", head: "Actions", cell: () => "…" },
];
const ROWS: readonly Row[] = Array.from({ length: 12 }, (_, index) => ({
  id: `r${index + 1}`,
  name: `House ${index + 1}`,
  moisture: index === 3 ? null : (index * 7) % 12,
}));

let chosen: ReadonlySet<string> = new Set();
function Table() {
  const address = useTableAddress();
  const [selected, setSelected] = useState(chosen);
  const { search } = useLocation();
  return (
    <>
      <DataTable
        label="Houses"
        columns={COLUMNS}
        rows={ROWS}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        pageSize={5}
        selected={selected}
        onSelect={(next) => {
          chosen = next;
          setSelected(next);
        }}
        {...address}
      />
      <output>{search}</output>
    </>
  );
}

const show = (address: string) =>
  render(
    <MemoryRouter initialEntries={[address]}>
      <Table />
    </MemoryRouter>,
    { wrapper: UiProvider },
  );
const names = () => screen.getAllByRole("rowheader").map((cell) => cell.textContent);
const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
const box = (name: string): HTMLInputElement => screen.getByRole("checkbox", { name });
const address = () => document.querySelector("output")?.textContent;

/** A table with external paging: three rows of forty. */
function CutTable({ onEvery, onOpen }: { onEvery: (all: boolean) => void; onOpen: (row: Row) => void }) {
  const address = useListAddress();
  const { search } = useLocation();
  return (
    <>
      <DataTable
        label="Houses"
        columns={COLUMNS}
        rows={ROWS.slice(0, 3)}
        total={40}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        page={address.page}
        pageSize={address.size}
        onPage={address.onPage}
        sizes={PAGE_SIZES}
        onSize={address.onSize}
        sort={address.sort}
        onSort={address.onSort}
        selected={new Set(["r1"])}
        onSelectEvery={onEvery}
        onOpen={onOpen}
      />
      <output>{search}</output>
    </>
  );
}

describe("data table", () => {
  beforeEach(async () => {
    provideBrowserParts();
    chosen = new Set();
    localStorage.setItem(LANGUAGE_KEY, "en");
    await startTranslations(["app"]);
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });

  it("[table] shows a page of its rows with position and total", () => {
    show("/");
    expect(names()).toEqual(["House 1", "House 2", "House 3", "House 4", "House 5"]);
    expect(screen.getByText("1–5 of 12")).not.toBeNull();
    press("Last page");
    expect(names()).toEqual(["House 11", "House 12"]);
    expect(screen.getByText("11–12 of 12")).not.toBeNull();
    expect(address()).toBe("?page=3");
  });

  it("[table] opens the page in the address and marks it in the pager", () => {
    show("/?page=2");
    expect(names()[0]).toBe("House 6");
    const pager = screen.getByRole("navigation", { name: "Pages" });
    expect(within(pager).getByRole("button", { current: "page" }).textContent).toBe("2");
    press("Previous page");
    expect(names()[0]).toBe("House 1");
    press("Previous page");
    expect(names()[0]).toBe("House 1");
  });

  it("[table] sorts all pages by a header, ascending then descending, announces it and opens the first page", () => {
    show("/?page=3");
    const head = () => screen.getByRole("columnheader", { name: "Moisture" });
    expect(head().getAttribute("aria-sort")).toBeNull();
    press("Moisture");
    expect(head().getAttribute("aria-sort")).toBe("ascending");
    expect(address()).toBe("?sort=moisture");
    const up = names();
    press("Moisture");
    expect(head().getAttribute("aria-sort")).toBe("descending");
    expect(names()).not.toEqual(up);
    press("Last page");
    expect(names().at(-1)).toBe("House 4");
  });

  it("[table] keeps the order of rows that are one page, and counts all pages in the pager", () => {
    render(
      <MemoryRouter initialEntries={["/?page=2&sort=-name"]}>
        <CutTable onEvery={() => undefined} onOpen={() => undefined} />
      </MemoryRouter>,
      { wrapper: UiProvider },
    );
    expect(names()).toEqual(["House 1", "House 2", "House 3"]);
    expect(screen.getByText("26–28 of 40")).not.toBeNull();
    press("Last page");
    expect(address()).toBe("?page=2&sort=-name");
  });

  it("[table] shows 25 rows a page; another size is set in the address, starts at the first page and is remembered", () => {
    render(
      <MemoryRouter initialEntries={["/?page=3"]}>
        <CutTable onEvery={() => undefined} onOpen={() => undefined} />
      </MemoryRouter>,
      { wrapper: UiProvider },
    );
    const size: HTMLSelectElement = screen.getByRole("combobox", { name: "Rows per page" });
    expect([...size.options].map(({ value }) => value)).toEqual(["5", "20", "25", "50", "100"]);
    expect(size.value).toBe("25");
    fireEvent.change(size, { target: { value: "50" } });
    expect(address()).toBe("?size=50");
    expect(size.value).toBe("50");
    cleanup();
    render(
      <MemoryRouter initialEntries={["/"]}>
        <CutTable onEvery={() => undefined} onOpen={() => undefined} />
      </MemoryRouter>,
      { wrapper: UiProvider },
    );
    expect(screen.getByRole<HTMLSelectElement>("combobox", { name: "Rows per page" }).value).toBe("50");
  });

  it("[table] selects every row of every page with one checkbox; a row opens except by its controls", () => {
    const asked: boolean[] = [];
    const opened: string[] = [];
    render(
      <MemoryRouter>
        <CutTable onEvery={(all) => asked.push(all)} onOpen={({ id }) => opened.push(id)} />
      </MemoryRouter>,
      { wrapper: UiProvider },
    );
    const every = box("Select all 40");
    expect([every.checked, every.indeterminate]).toEqual([false, true]);
    fireEvent.click(every);
    expect(asked).toEqual([true]);
    fireEvent.click(box("Select House 1"));
    fireEvent.click(screen.getByRole("rowheader", { name: "House 2" }));
    expect(opened).toEqual(["r2"]);
  });

  it("[table] has no button on an unsortable column", () => {
    show("/");
    expect(screen.queryByRole("button", { name: "Actions" })).toBeNull();
  });

  it("[table] selects rows individually or by page and keeps the selection across pages", () => {
    show("/");
    const all = () => box("Select all on this page");
    fireEvent.click(box("Select House 2"));
    expect([...chosen]).toEqual(["r2"]);
    expect([all().checked, all().indeterminate]).toEqual([false, true]);
    fireEvent.click(all());
    expect(chosen.size).toBe(5);
    expect([all().checked, all().indeterminate]).toEqual([true, false]);
    press("Next page");
    expect([all().checked, all().indeterminate]).toEqual([false, false]);
    fireEvent.click(all());
    fireEvent.click(all());
    expect([...chosen].sort()).toEqual(["r1", "r2", "r3", "r4", "r5"]);
  });
});
