import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { createPageBench } from "../../testing/page-bench.tsx";
import { FarmNamePage } from "./FarmNamePage.tsx";

const FARM = { info: { id: "f1", name: "논산 농장", description: null, sensorIds: [] } };

describe("the form of a farm's name", () => {
  afterEach(cleanup);

  it("[form] a farm that is deleted on another screen leaves what was typed to be read, and nothing to be sent", async () => {
    const bench = await createPageBench(["farms"]);
    bench.show(<FarmNamePage />, "/irrigation/name/edit?farm=f1");
    bench.put({ "farm:f1": FARM });
    bench.link("live");
    const name = screen.getByRole<HTMLInputElement>("textbox", { name: /농장 이름/ });
    fireEvent.change(name, { target: { value: "논산 1농장" } });
    bench.remove("farm:f1");
    expect(screen.getByRole("alert").textContent).toContain("그사이 삭제되었습니다");
    expect(screen.getByRole<HTMLInputElement>("textbox", { name: /농장 이름/ }).value).toBe("논산 1농장");
    expect(screen.getByRole("button", { name: "저장" }).hasAttribute("disabled")).toBe(true);
    expect(bench.heard).toEqual([]);
  });
});
