import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LANGUAGE_KEY } from "../../i18n/language.ts";
import { startTranslations } from "../../i18n/translations.ts";
import { createPageBench, type PageBench } from "../../testing/page-bench.tsx";
import { DeviceKeyDialog } from "./DeviceKeyDialog.tsx";

const KEY = "0123456789abcdef0123456789abcdef";

describe("device key dialog", () => {
  let closed = 0;
  let page: PageBench;
  let demo: object = {};
  beforeEach(async () => {
    page = await createPageBench();
    localStorage.setItem(LANGUAGE_KEY, "en");
    await startTranslations(["app"]);
    closed = 0;
    page.answer = (call) => (call === "GET /api/v1/setup" ? { needed: false, ...demo } : undefined);
    page.show(
      <DeviceKeyDialog
        made={{ deviceKey: KEY, mqtt: { host: "broker.example", port: 30_001, tls: false } }}
        serial="24119999"
        device={{ kind: "controller", channel: 1 }}
        onClose={() => (closed += 1)}
      />,
    );
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });

  it("[devices] closes a key that is shown only once only after the user confirms that it is stored", () => {
    const dialog = screen.getByRole("dialog", { name: "Device key" });
    expect(within(dialog).getByTestId("device-key").textContent).toBe(KEY);
    fireEvent.keyDown(dialog, { key: "Escape" });
    const close = screen.getByRole<HTMLButtonElement>("button", { name: "Close" });
    fireEvent.click(close);
    expect([closed, close.disabled]).toEqual([0, true]);
    fireEvent.click(screen.getByRole("checkbox", { name: "I have saved the key" }));
    fireEvent.click(close);
    expect(closed).toBe(1);
  });

  it("[devices] shows the command with the broker's own address", () => {
    expect(screen.getByText(/^mosquitto_pub -h broker.example -p 30001 .*ch\/1\/state/)).not.toBeNull();
  });

  it("[FIRST-1] says broker, user and topic in words, each with a button that copies it", async () => {
    let copied = "";
    Object.defineProperty(navigator, "clipboard", {
      configurable: true,
      value: {
        writeText: async (text: string) => {
          copied = text;
        },
      },
    });
    try {
      for (const [name, text] of [
        ["Broker", "broker.example:30001"],
        ["User", "24119999"],
        ["Topic", "mulkko/24119999/ch/1/state"],
      ] as const) {
        expect(within(screen.getByTestId("device-connection")).getByText(text)).not.toBeNull();
        fireEvent.click(screen.getByRole("button", { name: `Copy ${name}` }));
        expect(await screen.findByRole("button", { name: "Copied" })).not.toBeNull();
        expect(copied).toBe(text);
      }
    } finally {
      Reflect.deleteProperty(navigator, "clipboard");
    }
  });

  describe("of the demo", () => {
    beforeAll(() => {
      demo = { demo: { usernames: ["farmer"], ownDevices: true } };
    });
    afterAll(() => {
      demo = {};
    });
    it("[DEMO-1] says with the key of one's own device what to do about the demo's accounts", async () => {
      expect(await screen.findByText(/This is the demo farm.*DEMO=off/)).not.toBeNull();
    });
  });

  it("[DEMO-1] says nothing of a demo where there is none", async () => {
    await waitFor(() => expect(page.requests.map(({ call }) => call)).toContain("GET /api/v1/setup"));
    expect(screen.queryByText(/demo farm/)).toBeNull();
  });

  it("[devices] asks the user to write the key down if the browser has no clipboard", async () => {
    document.execCommand = () => false;
    fireEvent.click(screen.getAllByRole("button", { name: "Copy" })[0] ?? document.body);
    expect(await screen.findByText(/could not be copied/)).not.toBeNull();
    document.execCommand = () => true;
    fireEvent.click(screen.getAllByRole("button", { name: "Copy" })[0] ?? document.body);
    expect(await screen.findByRole("button", { name: "Copied" })).not.toBeNull();
  });
});
