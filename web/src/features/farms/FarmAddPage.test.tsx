import { eventually } from "@mulkko/shared/testing/eventually";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { createPageBench } from "../../testing/page-bench.tsx";
import { FarmAddPage } from "./FarmAddPage.tsx";

describe("a farm's form", () => {
  afterEach(cleanup);

  it("[farms] is given up by a button, as a sensor's is", async () => {
    const bench = await createPageBench(["farms"]);
    bench.show(<FarmAddPage />, "/farmadd");
    fireEvent.click(screen.getByRole("button", { name: "취소" }));
    await eventually(() => expect(bench.path()).toBe("/irrigation"));
  });
});
