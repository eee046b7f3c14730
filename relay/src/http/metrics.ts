import { relayPath } from "@mulkko/shared/rest/routes";
import { isOperator } from "@mulkko/shared/server/operator-access";
import { metricsText, processMetrics } from "@mulkko/shared/server/process-metrics";
import fp from "fastify-plugin";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Metrics, Transport, TransportTally } from "../runtime/metrics.ts";
import type { Places } from "../runtime/places.ts";
import type { LinkMonitor, LinkState } from "../upstream/link-monitor.ts";
import { RelayError } from "./relay-error.ts";

const PREFIX = "mulkko_relay_";
const TRANSPORTS: readonly Transport[] = ["websocket", "socketio"];
/** States of the farm API's availability, with their labels in the metric. */
const BREAKER_STATES = [
  ["up", "closed"],
  ["probing", "half-open"],
  ["down", "open"],
] as const;

/** Every state of each part of the link, so that former states read 0. */
const LINK_STATES = {
  upstream: ["up", "degraded", "down", "clock"],
  mqtt: ["up", "down", "off"],
  store: ["redis", "embedded", "down"],
} as const satisfies { [Part in "upstream" | "mqtt" | "store"]: readonly LinkState[Part][] };

/** State of the relay's dependencies, read whenever the metrics are read. */
export interface LinkFigures {
  readonly link: LinkMonitor;
  readonly upstreamOffsetMs: () => number;
  readonly shortcomings: () => readonly string[];
  /** 99th percentile of the event loop's delay, ms. */
  readonly eventLoopP99: () => number;
}

/** The relay's metrics and their export. */
export interface PrometheusMetrics extends Metrics {
  readonly registry: Registry;
  /** Register the gauges of the relay's services, read whenever the metrics are read. */
  watch(stats: () => RelayStats): void;
  watchLink(figures: LinkFigures): void;
  /** Register the pools that callers share (SHARE-1), by name. */
  watchPools(pools: Readonly<Record<string, Pick<Places, "taken" | "waiting" | "refused">>>): void;
}

const emptyTally = (): TransportTally => ({ sessions: 0, slow: 0, frames: 0, bytes: 0 });

/** Create one registry per relay, so that several can run in one process (tests). */
export function createMetrics(): PrometheusMetrics {
  const registry = new Registry();
  const registers = [registry];
  const tallies: Record<Transport, TransportTally> = { websocket: emptyTally(), socketio: emptyTally() };

  const counter = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter({ name: PREFIX + name, help, labelNames, registers });
  /** Register a gauge that is read whenever the metrics are read. */
  const gauge = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name: PREFIX + name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  };
  /** Register the same with one value per label. */
  const labelled = <Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    read: (set: (labels: Record<Label, string>, value: number) => void) => void,
  ): void => {
    new Gauge({
      name: PREFIX + name,
      help,
      labelNames,
      registers,
      collect() {
        read((labels, value) => this.set(labels, value));
      },
    });
  };
  /** Register a count that is kept elsewhere, with one value per label. */
  const counted = <Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    read: (set: (labels: Record<Label, string>, value: number) => void) => void,
  ): void => {
    new Counter({
      name: PREFIX + name,
      help,
      labelNames,
      registers,
      collect() {
        this.reset();
        read((labels, value) => this.inc(labels, value));
      },
    });
  };
  /**
   * Frames are counted without labels and looked up here: a labelled counter per frame would be expensive.
   */
  const transportMetric = (name: string, help: string, field: keyof TransportTally): void =>
    (name.endsWith("_total") ? counted : labelled)(name, help, ["door"], (set) => {
      for (const transport of TRANSPORTS) set({ door: transport }, tallies[transport][field]);
    });
  transportMetric("sessions", "Connected sessions", "sessions");
  transportMetric("slow_sessions", "Sessions limited by their window (SLOW-1)", "slow");
  transportMetric("frames_sent_total", "Messages sent since the start", "frames");
  transportMetric("bytes_sent_total", "Bytes of messages sent since the start", "bytes");

  const ended = counter("sessions_ended_total", "Ended sessions by transport and close code", [
    "door",
    "code",
  ]);
  const calls = new Histogram({
    name: "mulkko_relay_upstream_seconds",
    help: "Calls to the farm API by unit and outcome",
    labelNames: ["unit", "outcome"],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const commands = counter("commands_total", "States that commands reached (CMD-1)", ["state"]);
  const messages = counter("source_messages_total", "Messages of the sources by outcome", [
    "source",
    "outcome",
  ]);
  const flushes = counter("flushes_total", "Flushes of accounts: one step of a stream each (SUB-6)");
  const flushedKeys = counter("flushed_keys_total", "Keys in those flushes");
  const trouble = counter(
    "owner_troubles_total",
    "Failed writes of account owners: stream moved, another owner, or no store (NODE-2, NODE-5)",
    ["trouble"],
  );
  const catchUps = counter(
    "catch_ups_total",
    "Sessions that caught up with `devices`, by method and cause (SUB-3)",
    ["by", "cause"],
  );
  const refusals = counter("connections_refused_total", "Connections refused before their upgrade", [
    "reason",
  ]);
  const odd = counter("odd_fields_total", "Ignored fields and rows of the farm API", ["unit"]);
  const breaker = new Gauge({
    name: "mulkko_relay_breaker",
    help: "State of the farm API's circuit breaker; 1 for the current one",
    labelNames: ["state"],
    registers,
  });

  return {
    registry,
    tally: (transport) => tallies[transport],
    sessionEnded: (transport, code) => ended.inc({ door: transport, code }),
    upstreamCall: (unit, outcome, ms) => calls.observe({ unit, outcome }, ms / 1_000),
    command: (state) => commands.inc({ state }),
    availability(state) {
      for (const [each, label] of BREAKER_STATES) breaker.set({ state: label }, each === state ? 1 : 0);
    },
    oddFields: (unit, count) => odd.inc({ unit }, count),
    sourceMessage: (source, outcome) => messages.inc({ source, outcome }),
    flushed(keys) {
      flushes.inc();
      flushedKeys.inc(keys);
    },
    ownerTrouble: (kind) => trouble.inc({ trouble: kind }),
    caughtUp: (by, cause) => catchUps.inc({ by, cause }),
    connectionRefused: (reason) => refusals.inc({ reason }),
    watchLink({ link, upstreamOffsetMs, shortcomings, eventLoopP99 }) {
      labelled(
        "link",
        "State of the farm API, its broker and the store (ONL-4); 1 for the current one",
        ["part", "state"],
        (set) => {
          for (const part of ["upstream", "mqtt", "store"] as const)
            for (const state of LINK_STATES[part]) set({ part, state }, link.state[part] === state ? 1 : 0);
        },
      );
      gauge("storing", "0 while the farm API reports that it stores no readings", () =>
        link.state.notStoring === null ? 1 : 0,
      );
      gauge(
        "upstream_clock_offset_seconds",
        "The farm API's clock minus the relay's, 0 below 2 s (ONL-3)",
        () => upstreamOffsetMs() / 1_000,
      );
      gauge(
        "store_shortcomings",
        "Number of durability guarantees that the store lacks (NODE-3)",
        () => shortcomings().length,
      );
      gauge(
        "event_loop_p99_seconds",
        "99th percentile of the event loop's delay",
        () => eventLoopP99() / 1_000,
      );
    },
    watchPools(pools) {
      const ofEach = (name: string, help: string, field: "taken" | "waiting" | "refused"): void =>
        (name.endsWith("_total") ? counted : labelled)(name, help, ["pool"], (set) => {
          for (const [pool, places] of Object.entries(pools)) set({ pool }, places[field]);
        });
      ofEach("places_taken", "Places held, by pool: calls, bytes of bodies, slices (SHARE-1)", "taken");
      ofEach("places_waiting", "Requests that wait for a place, by pool (SHARE-1)", "waiting");
      ofEach("places_refused_total", "Requests refused without a place since the start (SHARE-1)", "refused");
    },
    watch(stats) {
      gauge("accounts", "Accounts that this node owns", () => stats().accounts);
      gauge("viewers", "Viewers of accounts", () => stats().viewers);
      labelled("node_info", "This node's name among those of its store", ["node"], (set) =>
        set({ node: stats().node }, 1),
      );
      gauge("shards", "Shards that this node owns, of 256 (NODE-5)", () => stats().shards);
      gauge("nodes", "Live nodes of the store (NODE-5)", () => stats().nodes);
      gauge("poll_stretch", "Factor on poll intervals (POLL-1)", () => stats().pollStretch);
    },
  };
}

/**
 * `GET /metrics`, in Prometheus text. With `METRICS_TOKEN` set, a client with that token may read it;
 * otherwise only this machine may. The route shares the public port.
 */
export const metricsPlugin = fp<{ metrics: PrometheusMetrics; token?: string | undefined }>(
  async (app, { metrics, token }) => {
    // It measures from the start on.
    processMetrics(PREFIX);
    app.get(relayPath.metrics, { logLevel: "warn" }, async (request, reply) => {
      if (!isOperator(request.raw, token))
        throw new RelayError(401, "unauthorized", "the metrics require METRICS_TOKEN");
      reply.type(metrics.registry.contentType);
      return metricsText(metrics.registry, PREFIX);
    });
  },
  { name: "metrics", fastify: "5.x" },
);

/** Gauges of the relay's services, read when metrics are requested. */
export interface RelayStats {
  readonly accounts: number;
  readonly viewers: number;
  /** Factor by which poll intervals are stretched; normally 1 (POLL-1). */
  readonly pollStretch: number;
  /** Shards that this node owns, of 256, and the live nodes of its store (NODE-5). */
  readonly shards: number;
  readonly nodes: number;
  /** Name of this node among them. */
  readonly node: string;
}
