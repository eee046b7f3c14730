import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { MemoryRouter } from "react-router-dom";
import { createBrowserSession } from "../api/browser-session.ts";
import { createRestClient } from "../api/client.ts";
import { RestProvider } from "../api/queries.tsx";
import { startI18n } from "../i18n/index.ts";
import { loadWords } from "../i18n/words.ts";
import { LiveProvider } from "../live/hooks.ts";
import { UiProvider } from "../ui/provider.tsx";
import { type BenchFarm, createBenchFarm, MEASURING } from "./bench-farm.ts";
import { beatsAnswer, createFleetRunner, FleetBench, showFleet } from "./fleet-bench.tsx";
import { createListRunner, ListBench } from "./list-bench.tsx";
import { MapBench } from "./map-bench.tsx";
import { createStreamRunner, historyAnswer, StreamBench, streamClock, takeTimers } from "./stream-bench.tsx";
import { createTilesRunner, TilesBench } from "./tiles-bench.tsx";

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
const tiles = query.get("page") === "tiles";
const stream = query.get("page") === "stream";
const fleet = query.get("page") === "fleet";
const map = query.get("page") === "map";

if (stream) takeTimers();
await startI18n();
await loadWords(stream ? ["log"] : fleet ? ["fleet"] : ["sensors", "weather"]);
const farm: BenchFarm = await createBenchFarm({
  sensors: fleet ? 0 : sensors,
  types: tiles || stream ? ["SMS"] : MEASURING,
  widget: tiles,
  ...(stream && { clock: streamClock, takeTimers }),
  ...(fleet && {
    onSaid(message) {
      if (message.t !== "subscribe" || message.stream !== "fleet") return;
      setTimeout(() => showFleet(farm, sensors, Number(query.get("accounts") ?? 200)));
    },
  }),
});
const session = createBrowserSession();
session.store.setState({ state: "signed-in", account: ACCOUNT, accessToken: "token" });
// This page has no server: calls fail, except those for a stream's history.
const client = createRestClient(
  { accessToken: () => "token", refresh: async () => null },
  async (path) =>
    (stream ? historyAnswer(path) : fleet ? beatsAnswer(path) : null) ?? new Response("{}", { status: 503 }),
);
const root = document.getElementById("root");
if (root === null) throw new Error("bench.html has no #root");
const page: ReactNode = stream ? (
  <StreamBench />
) : fleet ? (
  <FleetBench />
) : tiles ? (
  <TilesBench />
) : map ? (
  <MapBench />
) : (
  <ListBench />
);
createRoot(root).render(
  <UiProvider>
    <RestProvider rest={{ session, client }}>
      <LiveProvider tokens={TOKENS} client={farm.client}>
        <MemoryRouter
          initialEntries={[fleet ? `/adminpage/status?view=${query.get("view") ?? "list"}` : "/sensors"]}
        >
          {page}
        </MemoryRouter>
      </LiveProvider>
    </RestProvider>
  </UiProvider>,
);
// Exposed to the benchmark after the first render.
requestAnimationFrame(() =>
  setTimeout(() => {
    const runner = stream
      ? createStreamRunner(farm)
      : fleet
        ? createFleetRunner(farm)
        : tiles
          ? createTilesRunner(farm)
          : createListRunner(farm);
    Reflect.set(globalThis, "bench", runner);
  }),
);
