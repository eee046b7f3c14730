import { describe, expect, it } from "vitest";
import { readMinutes, runTimeFault } from "./run-time-dialog.tsx";

describe("[RUN-1] run time", () => {
  it("[RUN-1] accepts whole minutes from one to the controller's limit, both included", () => {
    expect(runTimeFault(1, 120)).toBeNull();
    expect(runTimeFault(120, 120)).toBeNull();
    expect(runTimeFault(121, 120)).toBe("tooLong");
    expect(runTimeFault(0, 120)).toBe("tooShort");
  });
  it("[RUN-1] rejects anything but a whole number of minutes", () => {
    for (const text of ["", "abc", "1.5", "-3", "1e3", "99999"])
      expect(runTimeFault(readMinutes(text), 120)).toBe("tooShort");
    expect(readMinutes(" 10 ")).toBe(10);
  });
});
