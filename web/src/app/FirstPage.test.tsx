import { buildAccount } from "@mulkko/shared/testing/builders";
import { cleanup, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { createPageBench } from "../testing/page-bench.tsx";
import { FirstPage } from "./Protected.tsx";
import { LiveLinkStrip } from "./shell/LiveLinkStrip.tsx";

const SENSOR = {
  info: { id: "s1", serial: 1, deviceType: "SMS", name: "1동" },
  reading: null,
  at: null,
  heardAt: null,
  quality: null,
  via: "poll",
};

describe("first page of an account", () => {
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });

  it.each([
    ["ADMIN", "/adminpage"],
    ["USER", "/dashboard"],
  ] as const)("[shell] of %s is %s", async (userType, address) => {
    const page = await createPageBench();
    page.session.store.setState({
      state: "signed-in",
      account: buildAccount({ userType }),
      accessToken: "t",
    });
    page.show(<FirstPage />);
    expect(page.path()).toBe(address);
  });

  it("[ONL-4] omits devices in the header of an account without any", async () => {
    const page = await createPageBench();
    page.show(<LiveLinkStrip />);
    const links = () => screen.getAllByRole("listitem").length;
    expect(links()).toBe(3);
    page.link("live");
    expect(links()).toBe(2);
    page.put({ "sensor:s1": SENSOR });
    expect(links()).toBe(3);
  });
});
