import { fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { createPageBench } from "../../testing/page-bench.tsx";
import { InstallHint } from "./InstallHint.tsx";
import { isInstallHintShown } from "./install-hint.ts";

afterEach(() => localStorage.clear());

it("[pwa] explains once how to add the page to the home screen, and can be dismissed", async () => {
  const page = await createPageBench();
  let closed = 0;
  page.show(<InstallHint onClose={() => (closed += 1)} />);
  expect(screen.getByRole("status").textContent).toContain("홈 화면에 추가");
  expect(isInstallHintShown()).toBe(true);
  fireEvent.click(screen.getByRole("button", { name: "닫기" }));
  expect(closed).toBe(1);
});
