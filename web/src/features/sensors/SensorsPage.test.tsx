import { relayPath } from "@mulkko/shared/rest/routes";
import { buildAccount } from "@mulkko/shared/testing/builders";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { MemoryRouter, useLocation } from "react-router-dom";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createBrowserSession } from "../../api/browser-session.ts";
import { createRestClient } from "../../api/client.ts";
import { RestProvider } from "../../api/queries.tsx";
import { UiProvider } from "../../components/provider.tsx";
import { LANGUAGE_KEY } from "../../i18n/language.ts";
import { startTranslations } from "../../i18n/translations.ts";
import { LiveProvider } from "../../live/hooks.ts";
import { type LiveEntry, parseValue } from "../../live/store.ts";
import { createBench, sensorValue } from "../../live/testing/fake-relay.ts";
import { provideBrowserParts } from "../../testing/browser-parts.ts";
import { SensorsPage } from "./SensorsPage.tsx";

const sensor = (id: string, change: Record<string, unknown> = {}, value: object = {}): LiveEntry => {
  const info = { id, deviceType: "SMS", serial: 100 + Number(id), name: `House ${id}`, ...change };
  const entry = parseValue("sensor", id, sensorValue({ info, ...value }));
  if (!entry) throw new Error("the value does not fit its schema");
  return entry;
};

const Address = () => <output>{useLocation().search}</output>;

/** Timeout: rendering the whole page takes seconds on a busy machine. */
const DRAWN_WITHIN_MS = 60_000;

describe("sensors page", { timeout: DRAWN_WITHIN_MS }, () => {
  beforeEach(async () => {
    provideBrowserParts();
    document.documentElement.dataset.surface = "desktop";
    localStorage.setItem(LANGUAGE_KEY, "en");
    await startTranslations(["app"]);
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
    delete document.documentElement.dataset.surface;
  });

  const LIVE = { everSynced: true, screen: { state: "live" } } as const;

  function show(sensors: readonly LiveEntry[], address = "/sensors", starting = false) {
    const { client: live, tokens } = createBench();
    if (!starting) live.link.setState(LIVE);
    const asked: string[] = [];
    const session = createBrowserSession();
    session.store.setState({ state: "signed-in", account: buildAccount(), accessToken: "token" });
    // No server: weather and sparklines are missing, the list is complete.
    const client = createRestClient(
      { accessToken: () => "token", refresh: async () => null },
      async (path) => {
        asked.push(path);
        return new Response("{}", { status: 503 });
      },
    );
    render(
      <UiProvider>
        <RestProvider rest={{ session, client }}>
          <LiveProvider tokens={tokens} client={live}>
            <MemoryRouter initialEntries={[address]}>
              <SensorsPage />
              <Address />
            </MemoryRouter>
          </LiveProvider>
        </RestProvider>
      </UiProvider>,
    );
    act(() => live.store.apply({ put: sensors, remove: [] }));
    return { asked, synced: () => act(() => live.link.setState(LIVE)) };
  }

  it("[LIVE-1] says that there are no sensors only once that is confirmed, with a link to add one", () => {
    const { synced } = show([], "/sensors", true);
    expect(screen.queryByText("No sensors yet")).toBeNull();
    synced();
    expect(screen.getByText("No sensors yet")).not.toBeNull();
    expect(screen.getByText("Add sensor").getAttribute("href")).toBe("/listadd");
  });

  it("[spec 2] shows the word SENSORS and a link to add one if there are no widget sensors", () => {
    show([sensor("1", { widget: false })]);
    const widgets = document.querySelector(".sensors__widgets");
    expect(widgets?.querySelector("strong")?.textContent).toBe("Sensors");
    expect(screen.getByText("Add sensor").getAttribute("href")).toBe("/listadd");
  });

  it("[spec 2] shows one card for each widget sensor", () => {
    show([sensor("1", { widget: true }), sensor("2"), sensor("3", { widget: true })]);
    const names = document.querySelectorAll(".sensors__widgets .sensor-card__name");
    expect([...names].map(({ textContent }) => textContent)).toEqual(["House 1", "House 3"]);
  });

  it("[perf] neither shows nor requests sparklines for cards above the list", () => {
    const lines = (surface: string) => {
      document.documentElement.dataset.surface = surface;
      const { asked } = show([sensor("1", { widget: true })]);
      cleanup();
      return asked.filter((path) => path.startsWith(relayPath.history)).length;
    };
    const { matchMedia } = window;
    window.matchMedia = (media) => ({
      ...matchMedia(media),
      matches: media.includes("min-width: 80rem") && document.documentElement.dataset.surface === "desktop",
    });
    expect(lines("desktop")).toBe(1);
    expect(lines("phone")).toBe(0);
    window.matchMedia = matchMedia;
  });

  it("[spec 2] puts the cards below the list on a phone, whose first screen shows sensors", () => {
    document.documentElement.dataset.surface = "phone";
    show([sensor("1", { widget: true })]);
    const [card, row] = [".sensors__widgets .sensor-card", ".device-row"].map((each) =>
      document.querySelector(each),
    );
    if (!card || !row) throw new Error("neither a card nor a row");
    expect(card.compareDocumentPosition(row)).toBe(Node.DOCUMENT_POSITION_PRECEDING);
  });

  it("[spec 2] shows a row with its name or else its serial, its serial and description", () => {
    show([sensor("1", { name: "", description: "behind the barn" })]);
    const row = document.querySelector(".device-row__text");
    expect(row?.textContent).toBe("101101 · behind the barn");
  });

  it("[spec 2] keeps the list of categories collapsed", () => {
    show([sensor("1")]);
    fireEvent.click(screen.getByRole("button", { name: "Collapse list" }));
    expect(screen.queryByRole("navigation", { name: "Sensor types" })).toBeNull();
    cleanup();
    show([sensor("1")]);
    fireEvent.click(screen.getByRole("button", { name: "Expand list" }));
    expect(screen.getByRole("navigation", { name: "Sensor types" })).not.toBeNull();
  });

  it("[sensors] counts the selection and clears it", () => {
    show([sensor("1"), sensor("2")]);
    fireEvent.click(screen.getByRole("checkbox", { name: "Select House 1" }));
    fireEvent.click(screen.getByRole("checkbox", { name: "Select House 2" }));
    expect(screen.getByText("2 selected")).not.toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "Clear" }));
    expect(screen.queryByText("2 selected")).toBeNull();
  });

  it("[sensors] keeps the selection in the address for a return to the page", () => {
    show([sensor("1"), sensor("2")]);
    fireEvent.click(screen.getByRole("checkbox", { name: "Select House 1" }));
    fireEvent.click(screen.getByRole("checkbox", { name: "Select House 2" }));
    expect(document.querySelector("output")?.textContent).toBe("?chosen=1%2C2");
    cleanup();
    document.documentElement.dataset.surface = "phone";
    show([sensor("1"), sensor("2")], "/sensors?chosen=1,2");
    expect(screen.getByText("2 selected")).not.toBeNull();
    expect(screen.getAllByRole("checkbox", { checked: true })).toHaveLength(2);
  });

  it("[sensors] counts a category in its heading and all sensors in the category list", () => {
    const soil = sensor("1", { deviceType: "SOIL" });
    const air = sensor("3", { deviceType: "AT" }, { quality: "offline" });
    show([soil, sensor("2"), air], "/sensors/type?deviceType=SOIL");
    expect(screen.queryByText("2 sensors, all live")).not.toBeNull();
    expect(screen.queryByText("1 needs attention")).toBeNull();
    cleanup();
    show([soil, sensor("2"), air]);
    expect(screen.queryByText("3 sensors · 1 not live")).not.toBeNull();
    expect(screen.queryByText("1 needs attention")).not.toBeNull();
  });

  it("[sensors] gives a category of several types a name of its own", () => {
    show([sensor("1"), sensor("2")], "/sensors/type?deviceType=SOIL");
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Soil");
    expect(screen.queryByText(/\(SOIL\)/)).toBeNull();
  });
});
