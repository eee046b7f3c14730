import { eventually } from "@mulkko/shared/testing/eventually";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { createPageBench, refusal } from "../../testing/page-bench.tsx";
import { FarmAddPage } from "./FarmForms.tsx";

describe("farm form", () => {
  afterEach(cleanup);

  it("[farms] can be cancelled by a button, like the sensor form", async () => {
    const bench = await createPageBench();
    bench.show(<FarmAddPage />, "/farmadd");
    fireEvent.click(screen.getByRole("button", { name: "취소" }));
    await eventually(() => expect(bench.path()).toBe("/irrigation"));
  });

  it("[form] asks before leaving during a save, keeps what was typed after a refusal, and does not ask once saved", async () => {
    const bench = await createPageBench();
    let respond: (answer: unknown) => void = () => undefined;
    bench.answer = (call) =>
      call.startsWith("POST")
        ? new Promise((resolve) => {
            respond = resolve;
          })
        : call.startsWith("GET /api/v1/cluster/list")
          ? []
          : undefined;
    const posted = () => bench.requests.filter(({ call }) => call.startsWith("POST"));
    bench.show(<FarmAddPage />, "/farmadd");
    const name = screen.getByRole<HTMLInputElement>("textbox", { name: /농장 이름/ });
    fireEvent.change(name, { target: { value: "남쪽 밭" } });
    fireEvent.click(screen.getByRole("button", { name: "등록" }));
    fireEvent.click(screen.getByRole("button", { name: "취소" }));
    fireEvent.click(await screen.findByRole("button", { name: "계속 입력" }));
    respond(refusal(500, "internal"));
    await screen.findByText(/농장을 등록하지 못했습니다/);
    expect([bench.path(), name.value]).toEqual(["/farmadd", "남쪽 밭"]);
    fireEvent.click(screen.getByRole("button", { name: "등록" }));
    await eventually(() => expect(posted()).toHaveLength(2));
    respond({});
    await eventually(() => expect(bench.path()).toBe("/dashboard"));
    expect(screen.queryByRole("alertdialog")).toBeNull();
  });
});
