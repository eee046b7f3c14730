import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { MemoryRouter } from "react-router-dom";
import { createBrowserSession } from "../api/browser-session.ts";
import { createRestClient } from "../api/client.ts";
import { RestProvider } from "../api/queries.tsx";
import { UiProvider } from "../components/provider.tsx";
import { startTranslations } from "../i18n/translations.ts";
import { LiveProvider } from "../live/hooks.ts";
import { type BenchFarm, type BenchFarmOptions, createBenchFarm, MEASURING } from "./bench-farm.ts";
import { beatsAnswer, createFleetRunner, FleetBench, showFleet } from "./fleet-bench.tsx";
import { createListRunner, ListBench } from "./list-bench.tsx";
import { MapBench } from "./map-bench.tsx";
import { createStreamRunner, historyAnswer, StreamBench, streamClock, takeTimers } from "./stream-bench.tsx";
import { createTilesRunner, TilesBench } from "./tiles-bench.tsx";

/** One benchmark page. */
interface Bench {
  readonly page: ReactNode;
  readonly address?: string;
  readonly farm?: Partial<BenchFarmOptions>;
  /** Answer the page's calls; all other calls fail, because this page has no server. */
  readonly answer?: (path: string) => Response | null;
  /** Create the functions that the benchmark calls in the page. */
  readonly runner?: (farm: BenchFarm) => object;
}

const TOKENS = { current: async () => "token", renew: async () => "token", onToken: () => () => undefined };
const ACCOUNT = {
  id: "bench",
  username: "bench",
  nickname: "Bench",
  userAddress: "",
  farmAddress: "",
  phone: "",
  timezone: "Asia/Seoul",
  imagePath: null,
  userType: "USER",
} as const;

const query = new URLSearchParams(location.search);
const sensors = Number(query.get("sensors") ?? 300);

const list: Bench = { page: <ListBench />, runner: createListRunner };
const benches: Readonly<Record<string, Bench>> = {
  map: { page: <MapBench /> },
  tiles: { page: <TilesBench />, farm: { types: ["SMS"], widget: true }, runner: createTilesRunner },
  stream: {
    page: <StreamBench />,
    farm: { types: ["SMS"], clock: streamClock },
    answer: historyAnswer,
    runner: createStreamRunner,
  },
  fleet: {
    page: <FleetBench />,
    address: `/adminpage/status?view=${query.get("view") ?? "list"}`,
    farm: {
      sensors: 0,
      onSaid(message) {
        if (message.t !== "subscribe" || message.stream !== "fleet") return;
        setTimeout(() => showFleet(farm, sensors, Number(query.get("accounts") ?? 200)));
      },
    },
    answer: beatsAnswer,
    runner: createFleetRunner,
  },
};
const name = query.get("page") ?? "list";
const bench = benches[name] ?? list;

if (name === "stream") takeTimers();
await startTranslations(["app", "admin"]);
const farm = await createBenchFarm({ sensors, types: MEASURING, widget: false, ...bench.farm });
const session = createBrowserSession();
session.store.setState({ state: "signed-in", account: ACCOUNT, accessToken: "token" });
const client = createRestClient(
  { accessToken: () => "token", refresh: async () => null },
  async (path) => bench.answer?.(path) ?? new Response("{}", { status: 503 }),
);
const root = document.getElementById("root");
if (root === null) throw new Error("bench.html has no #root");
createRoot(root).render(
  <UiProvider>
    <RestProvider rest={{ session, client }}>
      <LiveProvider tokens={TOKENS} client={farm.client}>
        <MemoryRouter initialEntries={[bench.address ?? "/sensors"]}>{bench.page}</MemoryRouter>
      </LiveProvider>
    </RestProvider>
  </UiProvider>,
);
// Exposed to the benchmark after the first render.
requestAnimationFrame(() => setTimeout(() => Reflect.set(globalThis, "bench", bench.runner?.(farm))));
