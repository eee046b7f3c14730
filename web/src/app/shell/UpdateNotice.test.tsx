import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { createPageBench } from "../../testing/page-bench.tsx";
import { UpdateNotice } from "./Notices.tsx";

afterEach(() => cleanup());

it("[HS-4] offers a newer client, but does not load it while a valve command is pending", async () => {
  const page = await createPageBench();
  let loads = 0;
  const shown = (commanding: boolean) => <UpdateNotice commanding={commanding} onLoad={() => (loads += 1)} />;
  page.show(shown(true));
  fireEvent.click(screen.getByRole("button", { name: "지금 업데이트" }));
  expect(loads).toBe(0);
  expect(screen.getByRole("status").textContent).toContain("밸브 명령이 끝나면");
});

it("[HS-4] loads a newer client by one press on request", async () => {
  const page = await createPageBench();
  let loads = 0;
  page.show(<UpdateNotice commanding={false} onLoad={() => (loads += 1)} />);
  fireEvent.click(screen.getByRole("button", { name: "지금 업데이트" }));
  expect(loads).toBe(1);
});
