import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { useLocation } from "react-router-dom";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPageBench, type PageBench } from "../../testing/page-bench.tsx";
import { AdminSensorAddPage } from "./AdminSensorAddPage.tsx";
import { AdminSensorPage } from "./AdminSensorPage.tsx";
import { AdminSensorsPage } from "./AdminSensorsPage.tsx";

const SENSORS = Array.from({ length: 12 }, (_, index) => ({
  id: `id-${index + 1}`,
  name: `soil-${index + 1}`,
  deviceType: "SMS",
  serial: 2_400 + index,
}));

function Desk() {
  const { pathname } = useLocation();
  switch (pathname) {
    case "/adminpage/sensors":
      return <AdminSensorsPage />;
    case "/adminpage/sensor/add":
      return <AdminSensorAddPage />;
    default:
      return <AdminSensorPage />;
  }
}

describe("the administrators' list of sensors", () => {
  let bench: PageBench;
  beforeEach(async () => {
    bench = await createPageBench([
      ...(["admin-sensors", "admin-sensor", "admin-sensor-add", "admin", "devices"] as const),
    ]);
    bench.answer = (call) => (call.startsWith("GET /api/v1/admin/sensors") ? SENSORS : undefined);
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });
  const STOOD = "/adminpage/sensors?q=soil&page=2";
  const press = (name: string) => act(async () => fireEvent.click(screen.getByRole("link", { name })));

  it("[admin] the way back from a sensor leads to the list as it stood", async () => {
    bench.show(<Desk />, STOOD);
    await screen.findByRole("rowheader", { name: "soil-6" });
    bench.answer = () => [];
    await press("soil-6");
    await waitFor(() => expect(bench.path()).toBe("/adminpage/sensor?id=id-6"));
    const back = await screen.findByRole("link", { name: "목록으로" });
    expect(back.getAttribute("href")).toBe(STOOD);
  });

  it("[admin] giving up a new sensor leads to the list as it stood", async () => {
    bench.show(<Desk />, STOOD);
    await screen.findByRole("rowheader", { name: "soil-6" });
    await press("센서 추가");
    await waitFor(() => expect(bench.path()).toBe("/adminpage/sensor/add"));
    await act(async () => fireEvent.click(screen.getByRole("button", { name: "취소" })));
    await waitFor(() => expect(bench.path()).toBe(STOOD));
  });
});
