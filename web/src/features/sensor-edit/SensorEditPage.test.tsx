import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPageBench, type PageBench, refusal } from "../../testing/page-bench.tsx";
import { SensorEditPage } from "./SensorEditPage.tsx";

const SENSOR = {
  info: { id: "s1", deviceType: "SMS", serial: 3, name: "1동 흙" },
  reading: null,
  at: null,
  heardAt: null,
  quality: null,
  via: "poll",
};

describe("sensor edit page", () => {
  let page: PageBench;
  beforeEach(async () => {
    page = await createPageBench();
    URL.createObjectURL = () => "blob:picture";
    URL.revokeObjectURL = () => undefined;
    Object.assign(globalThis, {
      createImageBitmap: async () => ({ width: 10, height: 10, close: () => undefined }),
    });
    page.show(<SensorEditPage returnTo="/sensors" />, "/sensors/edit?id=s1");
    page.put({ "sensor:s1": SENSOR });
    page.link("live");
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
    Reflect.deleteProperty(globalThis, "createImageBitmap");
  });

  it("[form] reports a failed photo at the photo and says that the other fields are saved", async () => {
    page.answer = (call) => (call.endsWith("/image") ? refusal(413, "too-large") : {});
    const chosen = { target: { files: [new File(["x"], "a.png", { type: "image/png" })] } };
    for (const input of document.querySelectorAll("input[type=file]")) fireEvent.input(input, chosen);
    expect(await screen.findByRole("button", { name: "되돌리기" })).not.toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "저장" }));
    await waitFor(() =>
      expect(screen.getByRole("button", { name: /사진/ }).getAttribute("aria-invalid")).toBe("true"),
    );
    const alerts = screen.getAllByRole("alert").map(({ textContent }) => textContent);
    expect(alerts).toEqual([
      "내용이 너무 커서 보낼 수 없습니다",
      "사진을 빼고 모두 저장했습니다. 사진은 올리지 못했습니다.",
    ]);
    expect(page.path()).toBe("/sensors/edit?id=s1");
  });

  it.each([["answered"], ["unanswered"]])(
    "[FORM-2] its own deletion, %s, is no deletion on another screen",
    async (outcome) => {
      const notes: boolean[] = [];
      page.answer = (call) => {
        if (!call.startsWith("DELETE") && !call.includes("/delete")) return {};
        // The live deletion overtakes the answer.
        page.remove("sensor:s1");
        notes.push(screen.queryByText(/다른 화면에서 삭제되었습니다/) !== null);
        if (outcome === "unanswered") throw new TypeError("network");
        return {};
      };
      fireEvent.click(screen.getByRole("button", { name: "더 보기" }));
      fireEvent.click(await screen.findByRole("menuitem", { name: /삭제/ }));
      fireEvent.click(await screen.findByRole("button", { name: "삭제" }));
      if (outcome === "answered") await waitFor(() => expect(page.path()).toBe("/sensors"));
      else await screen.findByText(/다시 눌러도 됩니다/);
      expect(notes).toEqual([false]);
      expect(screen.queryByText(/다른 화면에서 삭제되었습니다/)).toBeNull();
    },
  );

  it("[form] becomes read-only when the sensor is deleted elsewhere", () => {
    const name = screen.getByLabelText(/이름/);
    expect(name.matches(":disabled")).toBe(false);
    page.remove("sensor:s1");
    expect(screen.queryByText(/다른 화면에서 삭제되었습니다/)).not.toBeNull();
    expect(name.matches(":disabled")).toBe(true);
    expect(name).toHaveProperty("value", "1동 흙");
    expect(screen.getByRole("button", { name: "저장" }).matches(":disabled")).toBe(true);
  });
});
