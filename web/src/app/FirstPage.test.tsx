import { buildAccount } from "@mulkko/shared/testing/builders";
import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { useAccount } from "../api/hooks.ts";
import { createPageBench } from "../testing/page-bench.tsx";
import { FirstPage, useShownSession } from "./Protected.tsx";
import { LiveLinkStrip } from "./shell/LiveLinkStrip.tsx";

function Username() {
  return <p>{useAccount().username}</p>;
}
function Guarded() {
  const { state } = useShownSession();
  return state === "signed-in" ? <Username /> : <p>{state}</p>;
}

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

  it("[session] is shown after the sign-in, and never without an account", async () => {
    const page = await createPageBench();
    const { store } = page.session;
    const account = buildAccount({ username: "farmer" });
    store.setState({ state: "starting", unreachable: false }, true);
    page.show(<Guarded />);
    expect(screen.getByText("starting")).toBeTruthy();
    act(() => store.setState({ state: "signed-in", account, accessToken: "t" }, true));
    expect(screen.getByText("farmer")).toBeTruthy();
    act(() => store.setState({ state: "signed-out", reason: "expired" }, true));
    expect(screen.getByText("signed-out")).toBeTruthy();
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
