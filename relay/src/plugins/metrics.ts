import { relayPath } from "@mulkko/shared/rest/routes";
import fp from "fastify-plugin";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { LinkMonitor, LinkState } from "../ports/link.ts";
import type { Door, DoorTally, Metrics } from "../ports/metrics.ts";
import type { HeartStats } from "../ports/owners.ts";

const DOORS: readonly Door[] = ["websocket", "socketio"];
const BREAKER_STATES = ["closed", "half-open", "open"] as const;

/** Every state that a part of the link may be in, so that one which is over reads 0. */
const LINK_STATES = {
  upstream: ["up", "degraded", "down", "clock"],
  mqtt: ["up", "down", "off"],
  store: ["redis", "embedded", "down"],
} as const satisfies { [Part in "upstream" | "mqtt" | "store"]: readonly LinkState[Part][] };

/** What the relay depends on, asked for whenever the metrics are read. */
export interface LinkFigures {
  readonly link: LinkMonitor;
  readonly upstreamOffsetMs: () => number;
  readonly shortcomings: () => readonly string[];
  /** 99th percentile of the event loop's delay, ms. */
  readonly eventLoopP99: () => number;
}

/** The relay's counters and what reads them out. */
export interface PrometheusMetrics extends Metrics {
  readonly registry: Registry;
  /** Gauges of the heart, asked for whenever the metrics are read. */
  watch(stats: () => HeartStats): void;
  watchLink(figures: LinkFigures): void;
}

const emptyTally = (): DoorTally => ({ sessions: 0, slow: 0, frames: 0, bytes: 0 });

/** One registry per relay, so that several can live in one process (tests). */
export function createMetrics(): PrometheusMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: "mulkko_relay_" });
  const registers = [registry];
  const tallies: Record<Door, DoorTally> = { websocket: emptyTally(), socketio: emptyTally() };

  const counter = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter({ name: `mulkko_relay_${name}`, help, labelNames, registers });
  /** A figure that is asked for whenever the metrics are read. */
  const gauge = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name: `mulkko_relay_${name}`,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  };
  /** The same, one for each value of its labels. */
  const labelled = <Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    read: (set: (labels: Record<Label, string>, value: number) => void) => void,
  ): void => {
    new Gauge({
      name: `mulkko_relay_${name}`,
      help,
      labelNames,
      registers,
      collect() {
        read((labels, value) => this.set(labels, value));
      },
    });
  };
  /** Frames are counted without labels and looked up here: a labelled counter per frame would cost as much as it. */
  const doorMetric = (name: string, help: string, field: keyof DoorTally): void =>
    labelled(name, help, ["door"], (set) => {
      for (const door of DOORS) set({ door }, tallies[door][field]);
    });
  doorMetric("sessions", "Sessions that are connected", "sessions");
  doorMetric("slow_sessions", "Sessions that are held back by their window (SLOW-1)", "slow");
  doorMetric("frames_sent_total", "Messages sent since the start", "frames");
  doorMetric("bytes_sent_total", "Bytes of messages sent since the start", "bytes");

  const ended = counter("sessions_ended_total", "Sessions that ended, by door and close code", [
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
  const messages = counter("source_messages_total", "Messages of the sources by what they brought", [
    "source",
    "outcome",
  ]);
  const flushes = counter("flushes_total", "Flushes of accounts: one step of a stream each (SUB-6)");
  const flushedKeys = counter("flushed_keys_total", "Keys in those flushes");
  const trouble = counter(
    "owner_troubles_total",
    "Writes of an account's owner that found the stream moved, another owner, or no store (NODE-2, NODE-5)",
    ["trouble"],
  );
  const catchUps = counter(
    "catch_ups_total",
    "Sessions brought to the present of `devices`, by how and why (SUB-3)",
    ["by", "cause"],
  );
  const refusals = counter("connections_refused_total", "Connections turned away before their upgrade", [
    "reason",
  ]);
  const breaker = new Gauge({
    name: "mulkko_relay_breaker",
    help: "State of the breaker before the farm API; 1 for the one it is in",
    labelNames: ["state"],
    registers,
  });

  return {
    registry,
    tally: (door) => tallies[door],
    sessionEnded: (door, code) => ended.inc({ door, code }),
    upstreamCall: (unit, outcome, ms) => calls.observe({ unit, outcome }, ms / 1_000),
    command: (state) => commands.inc({ state }),
    breaker(state) {
      for (const each of BREAKER_STATES) breaker.set({ state: each }, each === state ? 1 : 0);
    },
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
        "How the farm API, its broker and the store stand (ONL-4); 1 for the state that each is in",
        ["part", "state"],
        (set) => {
          for (const part of ["upstream", "mqtt", "store"] as const)
            for (const state of LINK_STATES[part]) set({ part, state }, link.state[part] === state ? 1 : 0);
        },
      );
      gauge("storing", "0 while the farm API says that it stores no readings", () =>
        link.state.notStoring === null ? 1 : 0,
      );
      gauge(
        "upstream_clock_offset_seconds",
        "The farm API's clock minus ours, 0 below 2 s (ONL-3)",
        () => upstreamOffsetMs() / 1_000,
      );
      gauge(
        "store_shortcomings",
        "What the store lacks to keep what it is given (NODE-3)",
        () => shortcomings().length,
      );
      gauge(
        "event_loop_p99_seconds",
        "99th percentile of the event loop's delay",
        () => eventLoopP99() / 1_000,
      );
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

/** `GET /metrics`, in Prometheus text. */
export const metricsPlugin = fp<{ metrics: PrometheusMetrics }>(
  async (app, { metrics }) => {
    app.get(relayPath.metrics, { logLevel: "warn" }, async (_request, reply) => {
      reply.type(metrics.registry.contentType);
      return metrics.registry.metrics();
    });
  },
  { name: "metrics", fastify: "5.x" },
);
