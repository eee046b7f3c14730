import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPageBench, type PageBench } from "../../testing/page-bench.tsx";
import { ControllerEditPage } from "./ControllerEditPage.tsx";

const BOX = {
  info: { id: "c1", serial: "17", name: "논산 밸브", type: "CON04V" },
  rssi: null,
  fwversion: null,
  heardAt: null,
  quality: null,
  link: null,
};

describe("the page that edits a controller", () => {
  let page: PageBench;
  beforeEach(async () => {
    page = await createPageBench(["controller-edit"]);
    page.show(<ControllerEditPage />, "/controller/edit?cotId=c1");
    page.put({ "controller:c1": BOX });
    page.link("live");
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });

  it("[form] a controller that was deleted elsewhere can only be read, and is not deleted once more", () => {
    const name = screen.getByLabelText(/이름/);
    expect(name.matches(":disabled")).toBe(false);
    expect(screen.queryByRole("button", { name: "더보기" })).not.toBeNull();
    page.remove("controller:c1");
    expect(screen.queryByText(/그사이 삭제되었습니다/)).not.toBeNull();
    expect(name.matches(":disabled")).toBe(true);
    expect(screen.getByRole("button", { name: "저장" }).matches(":disabled")).toBe(true);
    expect(screen.queryByRole("button", { name: "더보기" })).toBeNull();
  });

  it("[spec 8] a deletion is told once it is done", async () => {
    page.answer = () => ({});
    fireEvent.click(screen.getByRole("button", { name: "더보기" }));
    fireEvent.click(await screen.findByRole("menuitem", { name: "삭제" }));
    fireEvent.click(await screen.findByRole("button", { name: "삭제" }));
    await waitFor(() => expect(page.path()).not.toContain("/controller/edit"));
    expect(await screen.findByText("컨트롤러를 삭제했습니다")).not.toBeNull();
  });
});
