import { buildAccount } from "@mulkko/shared/testing/builders";
import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { useAccount } from "../api/hooks.ts";
import { createPageBench } from "../testing/page-bench.tsx";
import { FirstPage, useShownSession } from "./Protected.tsx";
import { LiveLinkStrip } from "./shell/LiveLinkStrip.tsx";
import { useNavItems } from "./shell/use-nav-items.tsx";

function Username() {
  return <p>{useAccount().username}</p>;
}
function Guarded() {
  const { state } = useShownSession();
  return state === "signed-in" ? <Username /> : <p>{state}</p>;
}

function Menus() {
  const { bottom, menu } = useNavItems();
  return [...bottom, ...menu].map(({ to, label }) => (
    <a key={to} href={to}>
      {label}
    </a>
  ));
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
    ["an administrator", { userType: "ADMIN" }, "/adminpage"],
    ["an administrator of others", { userType: "ADMIN", onlyAccount: false }, "/adminpage"],
    ["the only account", { userType: "ADMIN", onlyAccount: true }, "/dashboard"],
    ["a farmer", { userType: "USER" }, "/dashboard"],
  ] as const)("[FIRST-1] of %s, and the first entry of its menu", async (_whose, change, address) => {
    const page = await createPageBench();
    page.session.store.setState({
      state: "signed-in",
      account: buildAccount(change),
      accessToken: "t",
    });
    page.show(<FirstPage />);
    expect(page.path()).toBe(address);
    cleanup();
    page.show(<Menus />);
    const links = screen.getAllByRole("link").map((link) => link.getAttribute("href"));
    expect(links[0]).toBe(address);
    // The other of the two remains a target.
    expect(links).toContain("/dashboard");
    expect(links.includes("/adminpage")).toBe(change.userType === "ADMIN");
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
