import type { Modes } from "@mulkko/shared/live/devices";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { speakKorean } from "../../testing/speak-korean.ts";
import { ModeList } from "./ModeList.tsx";

const PERIOD: Modes = {
  active: "period",
  automatic: null,
  reservation: null,
  period: { wateringInterval: null, wateringDuration: 5, repeat: true },
};

describe("the list of modes", () => {
  beforeAll(speakKorean);
  afterEach(cleanup);

  it("[WAT-3] names the mode in charge", () => {
    render(<ModeList modes={PERIOD} />);
    expect(screen.getByText("사용 중")).toBeTruthy();
  });

  it("[WAT-3] says of a mode in charge that lacks something what it lacks, not that it waters", () => {
    render(<ModeList modes={{ ...PERIOD, incomplete: "interval" }} />);
    expect(screen.getByText("간격이 없어 쉬는 중")).toBeTruthy();
    expect(screen.queryByText("사용 중")).toBeNull();
  });
});
