import { eventually } from "@mulkko/shared/testing/eventually";
import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPageBench, type PageBench } from "../../testing/page-bench.tsx";
import { FarmDeletePage } from "./FarmDeletePage.tsx";

const FARM = { info: { id: "f1", name: "논산 농장", description: null, sensorIds: [] } };

describe("deletion of a farm", () => {
  let bench: PageBench;
  const confirm = async () => {
    fireEvent.click(screen.getByRole("radio", { name: /논산 농장/ }));
    fireEvent.click(screen.getByRole("button", { name: "삭제" }));
    const dialog = within(await screen.findByRole("alertdialog"));
    fireEvent.click(dialog.getByRole("button", { name: "삭제" }));
    return dialog;
  };
  beforeEach(async () => {
    bench = await createPageBench();
    bench.show(<FarmDeletePage />, "/farmdelete");
    bench.put({ "farm:f1": FARM });
    bench.link("live");
  });
  afterEach(cleanup);

  it("[spec 8] quotes the refusal of a farm API without codes in the dialog, which stays open", async () => {
    bench.answer = () => new Response(JSON.stringify({ message: "사용 중인 농장입니다" }), { status: 409 });
    const dialog = await confirm();
    await dialog.findByText("삭제하지 못했습니다. 서버에서 거절했습니다: 사용 중인 농장입니다");
  });

  it("[farms] counts a farm that another user has deleted as deleted", async () => {
    await confirm();
    await eventually(() => expect(screen.queryByRole("alertdialog")).toBeNull());
    expect(bench.requests).toHaveLength(1);
  });
});
