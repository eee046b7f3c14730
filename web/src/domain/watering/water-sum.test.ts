import { drawnQuality, type Quality, sourceQuality } from "@mulkko/shared/rules/quality";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { linkQuality } from "../../live/link.ts";
import { tallyDevices } from "../farm/device-tally.ts";
import { valveView } from "../valve/valve-view.ts";
import { sumWater, waterOf } from "./water-sum.ts";

const qualities = fc.constantFrom<Quality>("fresh", "late", "offline", "unknown");
const thing = fc.record({
  onoff: fc.constantFrom<0 | 1 | 2>(0, 1, 2),
  quality: fc.option(qualities),
  link: fc.constantFrom("up" as const, "lost" as const, null),
});
const links = fc.record({
  screen: fc.record({ state: fc.constantFrom("live" as const, "reconnecting" as const, "notLive" as const) }),
  relay: fc.record({
    t: fc.constant("link" as const),
    upstream: fc.constantFrom("up" as const, "degraded" as const, "down" as const, "clock" as const),
    mqtt: fc.constantFrom("up" as const, "down" as const, "off" as const),
    store: fc.constantFrom("redis" as const, "embedded" as const, "down" as const),
    since: fc.constant("2026-11-23T01:00:00Z"),
  }),
  notStoring: fc.boolean(),
});

const NOT_STORING = { fault: "database", since: "2026-11-23T01:00:00Z" } as const;

describe("counts of water and devices", () => {
  it("[ONL-2] claim no more than the displayed quality of their parts, over any links", () => {
    fc.assert(
      fc.property(fc.array(thing, { maxLength: 12 }), links, (things, { screen, relay: way, notStoring }) => {
        const relay = { ...way, ...(notStoring && { notStoring: NOT_STORING }) };
        const best = linkQuality({ screen, relay });
        const views = things.map((each) =>
          valveView({ onoff: each.onoff, command: null, quality: drawnQuality(each, best) }),
        );
        const drawn = (kind: "open" | "closed") => views.filter((view) => view.kind === kind).length;
        const sum = sumWater(things.map((each) => waterOf(each, best)));
        expect([sum.runs, sum.none]).toEqual([drawn("open"), drawn("closed")]);
        expect(sum.runs + sum.ran + sum.none + sum.unknown).toBe(things.length);
        expect(sum.runs + sum.ran).toBe(things.filter(({ onoff }) => onoff === 1).length);
        const tally = tallyDevices(
          things.map((each) => ({ ...each, heardAt: null })),
          best,
        );
        expect(tally.total).toBe(things.length);
        expect(tally.fresh).toBe(things.filter((each) => drawnQuality(each, best) === "fresh").length);
        const cut = screen.state === "notLive" || relay.store === "down" || sourceQuality(relay) !== "fresh";
        if (cut) expect([sum.runs, sum.none, tally.fresh]).toEqual([0, 0, 0]);
      }),
    );
  });
});
