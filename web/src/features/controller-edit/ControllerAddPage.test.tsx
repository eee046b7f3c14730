import { eventually } from "@mulkko/shared/testing/eventually";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { createPageBench } from "../../testing/page-bench.tsx";
import { ControllerAddPage } from "./ControllerAddPage.tsx";

describe("a controller's form", () => {
  afterEach(cleanup);

  it("[controller-add] is given up by a button, as a sensor's is", async () => {
    const bench = await createPageBench(["controller-edit", "devices"]);
    bench.show(<ControllerAddPage />, "/cotadd");
    fireEvent.click(screen.getByRole("button", { name: "취소" }));
    await eventually(() => expect(bench.path()).toBe("/addpage"));
  });
});
