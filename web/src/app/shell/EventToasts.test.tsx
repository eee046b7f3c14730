import type { Alarm } from "@mulkko/shared/live/alarm";
import { act, cleanup } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { toaster } from "../../components/toaster.tsx";
import { addEvent } from "../../live/ingest.ts";
import { buildAlarm } from "../../testing/build-alarm.ts";
import { createPageBench, type PageBench } from "../../testing/page-bench.tsx";
import { EventToasts } from "./EventToasts.tsx";

describe("toasts of events", () => {
  let page: PageBench;
  let created: MockInstance<typeof toaster.create>;
  beforeEach(async () => {
    created = vi.spyOn(toaster, "create").mockImplementation(() => undefined);
    page = await createPageBench();
  });
  afterEach(() => {
    cleanup();
    created.mockRestore();
  });
  const show = (otherInStrip: boolean) => {
    page.show(<EventToasts otherInStrip={otherInStrip} />);
    page.link("live");
  };
  const raise = (alarm: Alarm) =>
    act(() => {
      const at = new Date(page.live.client.serverClock.now()).toISOString();
      addEvent(page.live.client.events, { offset: 1, event: { kind: "alarm", at, alarm } });
    });

  it("[UI-3] leaves out the alarm that the strip shows, and reports one that it only counts", async () => {
    show(false);
    raise(buildAlarm({ id: "a", type: "controller-offline", priority: 2 }));
    await act(() => vi.dynamicImportSettled());
    expect(created).not.toHaveBeenCalled();
    page.putAlarms(buildAlarm({ id: "worse", type: "open-too-long", priority: 1 }));
    raise(buildAlarm({ id: "b", type: "controller-offline", priority: 2 }));
    await vi.waitFor(() => expect(created).toHaveBeenCalledTimes(1));
    raise(buildAlarm({ id: "c", type: "controller-offline", priority: 2 }));
    await vi.waitFor(() => expect(created).toHaveBeenCalledTimes(2));
  });

  it("[UI-3] leaves out a silence whose alarm the strip shows, and reports one that it does not", async () => {
    show(false);
    const silence = (key: string) =>
      act(() => {
        const at = new Date(page.live.client.serverClock.now()).toISOString();
        addEvent(page.live.client.events, {
          offset: 1,
          event: { kind: "flip", at, key, online: false, last: null },
        });
      });
    silence("sensor:1");
    page.putAlarms(buildAlarm({ id: "x", type: "offline", key: "sensor:1", priority: 3 }));
    silence("sensor:2");
    await vi.waitFor(() => expect(created).toHaveBeenCalledTimes(1), 5_000);
  });

  it("[UI-3] reports each alarm while the strip shows another account's", async () => {
    show(true);
    raise(buildAlarm({ id: "a", type: "controller-offline", priority: 2 }));
    await vi.waitFor(() => expect(created).toHaveBeenCalledTimes(1));
  });
});
