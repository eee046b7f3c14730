import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { createPageBench, refusal } from "../../testing/page-bench.tsx";
import { FarmNamePage } from "./FarmForms.tsx";

const CONFIG = { apiTimezone: "Asia/Seoul", extensions: ["farm-description"], build: "b" };
const FARM = { info: { id: "f1", name: "논산 농장", description: null, sensorIds: [] } };

describe("farm name form", () => {
  afterEach(cleanup);

  it("[form] becomes read-only when the farm is deleted on another screen", async () => {
    const bench = await createPageBench();
    bench.show(<FarmNamePage />, "/irrigation/name/edit?farm=f1");
    bench.put({ "farm:f1": FARM });
    bench.link("live");
    const name = screen.getByRole<HTMLInputElement>("textbox", { name: /농장 이름/ });
    fireEvent.change(name, { target: { value: "논산 1농장" } });
    bench.remove("farm:f1");
    expect(screen.getByRole("alert").textContent).toContain("그사이 삭제되었습니다");
    expect(screen.getByRole<HTMLInputElement>("textbox", { name: /농장 이름/ }).value).toBe("논산 1농장");
    expect(screen.getByRole("button", { name: "저장" }).hasAttribute("disabled")).toBe(true);
    expect(bench.requests.filter(({ call }) => !call.startsWith("GET"))).toEqual([]);
  });

  it.each([
    ["keeps", ["farm-description"], "name=%EB%85%BC%EC%82%B0&description="],
    ["does not know", [], "name=%EB%85%BC%EC%82%B0"],
  ])(
    "[form] offers and sends a description according to the farm API, which %s it",
    async (_how, extensions, sent) => {
      const bench = await createPageBench();
      bench.answer = (call) =>
        call === "GET /relay/config" ? { apiTimezone: "Asia/Seoul", extensions, build: "b" } : {};
      bench.show(<FarmNamePage />, "/irrigation/name/edit?farm=f1");
      bench.put({ "farm:f1": FARM });
      bench.link("live");
      if (extensions.length > 0) await screen.findByRole("textbox", { name: /설명/ });
      else expect(screen.queryByRole("textbox", { name: /설명/ })).toBeNull();
      fireEvent.change(screen.getByRole("textbox", { name: /농장 이름/ }), { target: { value: "논산" } });
      await act(async () => fireEvent.click(screen.getByRole("button", { name: "저장" })));
      expect(String(bench.requests.find(({ call }) => call.startsWith("PUT"))?.body)).toBe(sent);
    },
  );

  it("[versions] sends only changes, for the version that was read, and shows both values of a conflict", async () => {
    const bench = await createPageBench();
    const puts = () => bench.requests.filter(({ call }) => call.startsWith("PUT"));
    bench.answer = (call) =>
      call.startsWith("PUT")
        ? refusal(412, "changed-meanwhile")
        : call === "GET /relay/config"
          ? CONFIG
          : undefined;
    bench.show(<FarmNamePage />, "/irrigation/name/edit?farm=f1");
    bench.put({ "farm:f1": { info: { ...FARM.info, description: "딸기", version: "v1" } } });
    bench.link("live");
    await screen.findByRole("textbox", { name: /설명/ });
    const name = screen.getByRole<HTMLInputElement>("textbox", { name: /농장 이름/ });
    fireEvent.change(name, { target: { value: "논산 1농장" } });
    fireEvent.click(screen.getByRole("button", { name: "저장" }));
    await waitFor(() =>
      expect(screen.getByRole("alert").textContent).toContain("다른 사람이 먼저 저장했습니다"),
    );
    expect(puts()).toHaveLength(1);
    expect(`${puts()[0]?.body}`).toBe(`${new URLSearchParams({ name: "논산 1농장" })}`);
    bench.put({
      "farm:f1": { info: { ...FARM.info, name: "논산 2농장", description: "토마토", version: "v2" } },
    });
    const note = screen.getByText("내 입력: 논산 1농장").closest("[role=status]");
    expect(note?.textContent).toContain("저장된 값: 논산 2농장");
    expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: /설명/ }).value).toBe("토마토");
    bench.answer = () => ({});
    fireEvent.click(screen.getByRole("button", { name: "내가 쓴 내용 두기" }));
    fireEvent.click(screen.getByRole("button", { name: "저장" }));
    await waitFor(() => expect(bench.path()).toBe("/irrigation"));
    expect(bench.versions.filter((version) => version !== null)).toEqual(['"v1"', '"v2"']);
    expect(`${puts().at(-1)?.body}`).toBe(`${new URLSearchParams({ name: "논산 1농장" })}`);
  });

  it("[versions] sends every field to an API without versions, as the base contract requires", async () => {
    const bench = await createPageBench();
    bench.answer = (call) => (call === "GET /relay/config" ? CONFIG : {});
    bench.show(<FarmNamePage />, "/irrigation/name/edit?farm=f1");
    bench.put({ "farm:f1": { info: { ...FARM.info, description: "딸기" } } });
    bench.link("live");
    await screen.findByRole("textbox", { name: /설명/ });
    fireEvent.change(screen.getByRole("textbox", { name: /농장 이름/ }), { target: { value: "북" } });
    fireEvent.click(screen.getByRole("button", { name: "저장" }));
    await waitFor(() => expect(bench.path()).toBe("/irrigation"));
    expect(
      bench.requests.filter(({ call }) => call.startsWith("PUT")).map(({ body }) => String(body)),
    ).toEqual(["name=%EB%B6%81&description=%EB%94%B8%EA%B8%B0"]);
    expect(bench.versions.every((version) => version === null)).toBe(true);
  });
});
