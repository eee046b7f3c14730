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

function AdminPages() {
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

describe("sensor list of administrators", () => {
  let bench: PageBench;
  beforeEach(async () => {
    bench = await createPageBench();
    bench.answer = (call) => (call.startsWith("GET /api/v1/admin/sensors") ? SENSORS : undefined);
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });
  const LIST_ADDRESS = "/adminpage/sensors?q=soil&page=2";
  const press = (name: string) => act(async () => fireEvent.click(screen.getByRole("link", { name })));

  it("[admin] returns from a sensor to the list in its former state", async () => {
    bench.show(<AdminPages />, LIST_ADDRESS);
    await screen.findByRole("rowheader", { name: "soil-6" });
    bench.answer = () => [];
    await press("soil-6");
    await waitFor(() => expect(bench.path()).toBe("/adminpage/sensor?id=id-6"));
    const back = await screen.findByRole("link", { name: "목록으로" });
    expect(back.getAttribute("href")).toBe(LIST_ADDRESS);
  });

  it("[admin] returns from a cancelled new sensor to the list in its former state", async () => {
    bench.show(<AdminPages />, LIST_ADDRESS);
    await screen.findByRole("rowheader", { name: "soil-6" });
    await press("센서 추가");
    await waitFor(() => expect(bench.path()).toBe("/adminpage/sensor/add"));
    await act(async () => fireEvent.click(screen.getByRole("button", { name: "취소" })));
    await waitFor(() => expect(bench.path()).toBe(LIST_ADDRESS));
  });
});
