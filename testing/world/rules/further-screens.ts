import { ACCOUNT, CONTROLLER, SENSOR } from "../devices/furnish.ts";
import type { Valve } from "../devices/truth.ts";
import type { Trouble } from "../network/trouble.ts";
import { CHOI, type FurtherPlace, SENSOR_OF_CHOI } from "../scene/further.ts";
import type { Scene } from "../scene/scene.ts";
import { inSeconds } from "../scene/story.ts";
import type { Flips } from "./flips.ts";
import { lieOf, wordsOf } from "./lies.ts";
import type { Orders } from "./orders.ts";
import type { Reports } from "./reports.ts";
import { leftAlarmOf, unrestOf } from "./rest.ts";

/** Return a message without its random ids, which would be other ones in the same story. */
const withoutIds = (text: string): string => text.replace(/[\da-f]{8}-[\da-f-]*/g, "…");

/** Ids by which a message shows that it is about an account. */
const OF_KIM = [`${ACCOUNT.id}`, CONTROLLER.id, SENSOR.id] as const;
const OF_CHOI = [`${CHOI.id}`, SENSOR_OF_CHOI.id] as const;

/** Messages of the relay with something of the farm. */
const NEWS = /"t":"(snapshot|change|event)"/;

/** Further screens, and what they may not show: W-1, W-4, W-10 and W-13. */
export class FurtherScreens {
  readonly #scene: Scene;
  readonly #orders: Orders;
  readonly #reports: Reports;
  readonly #flips: Flips;

  constructor(scene: Scene, orders: Orders, reports: Reports, flips: Flips) {
    this.#scene = scene;
    this.#orders = orders;
    this.#reports = reports;
    this.#flips = flips;
    const { wall, choi } = scene.further;
    for (const person of scene.people) {
      const { name, phone, toPhone } = person;
      phone.onFrame = (text) => {
        this.#mayNotReceive(name, text, OF_CHOI);
        this.#mayNotBeNew(name, text, scene.outSinceOf(person), toPhone, person.wokeAt);
      };
    }
    if (wall)
      wall.screen.onFrame = (text) => {
        this.#mayNotReceive("the wall", text, OF_CHOI);
        this.#mayNotBeNew("the wall", text, wall.outSince, wall.way, scene.start);
      };
    if (choi) choi.screen.onFrame = (text) => this.#mayNotReceive("choi", text, OF_KIM);
  }

  /** W-13: no message names anything of an account that the screen may not see. */
  #mayNotReceive(name: string, text: string, foreign: readonly string[]): void {
    if (foreign.some((id) => text.includes(id)))
      this.#scene.break(
        "W-13",
        `${name} received something of another account: ${withoutIds(text.slice(0, 300))}`,
      );
  }

  /** W-10: nothing new of the farm reaches a screen whose access has ended. */
  #mayNotBeNew(name: string, text: string, outSince: number | null, way: Trouble, wokeAt: number): void {
    if (outSince === null || way.since !== null || !NEWS.test(text)) return;
    const { storeTroubledAt, time } = this.#scene;
    const outMs = time.now - Math.max(outSince, way.endedAt, wokeAt, storeTroubledAt);
    if (outMs > this.#scene.bounds.outMs)
      this.#scene.break(
        "W-10",
        `${name} received "${withoutIds(text.slice(0, 200))}" ${inSeconds(outMs)} after the end of access`,
      );
  }

  /** Look at the further screens. */
  look(): void {
    const { further, isDeviceWell, time, valves } = this.#scene;
    const { wall, park, choi } = further;
    if (wall && wall.screen.at !== wall.wasAt) {
      wall.wasAt = wall.screen.at;
      this.#scene.story.tell(`the wall is ${wall.wasAt ?? "off"}`);
    }
    if (wall) this.#noteWay(wall, wall.screen.isShowing && wall.outSince === null, wall.outSince === null);
    if (park) this.#noteWay(park, park.screen.phone.isRead, park.screen.phone.isRead);
    park?.toClose.note(
      park.toReader.since === null && isDeviceWell && further.unreadableSince === null,
      time.now,
    );
    if (choi) this.#noteWay(choi, choi.screen.isRead, choi.screen.isRead);
    for (const valve of valves) {
      this.#lookAtWall(valve);
      this.#lookAtWallAlarms(valve);
      this.#lookAtUrgent(valve);
    }
    this.#lookAtOut();
    this.#lookForRest("the wall", wall, this.#unrestOfWall());
    this.#lookForRest("park's screen", park, this.#unrestOfPark());
    this.#lookForRest("choi's screen", choi, choi?.screen.isLive ? null : "nothing is live");
  }

  #unrestOfWall(): string | null {
    const { further, valves } = this.#scene;
    const { wall } = further;
    if (!wall) return null;
    const { screen } = wall;
    if (!screen.isLive) return `nothing is live (${screen.at})`;
    const shown = valves.map((valve) => ({ valve, shown: screen.shows(CONTROLLER.serial, valve.number) }));
    return unrestOf(shown, this.#flips.unexplained(screen.alarms), 0);
  }

  #unrestOfPark(): string | null {
    const { further, valves } = this.#scene;
    const { park } = further;
    if (!park) return null;
    const { phone } = park.screen;
    if (!phone.isLive) return "nothing is live";
    const waiting = phone.unanswered.filter(({ ended }) => ended === undefined).length;
    if (waiting > 0) return `${waiting} closes have no answer`;
    if (park.screen.namesUnwatched(`${ACCOUNT.id}`)) return "the account of kim is not watched";
    const open = valves.filter(({ isOpen }) => isOpen).length;
    const { openValves } = park.screen;
    if (openValves !== open) return `${openValves ?? "unknown"} valves are open, and ${open} are`;
    return leftAlarmOf(park.screen.urgent, open > 0);
  }

  /** W-12: a while after the last fault a screen is live, true and quiet. */
  #lookForRest(name: string, place: FurtherPlace<unknown> | null, unrest: string | null): void {
    const { troubledAt, time, valves } = this.#scene;
    const wellSince = place?.toValve.wellSince ?? null;
    if (!place || wellSince === null || valves.some(({ isStuck }) => isStuck)) return;
    const turnedAt = valves.map((valve) => Math.max(valve.last?.at ?? 0, this.#orders.freedAt(valve)));
    const since = Math.max(wellSince, troubledAt, place.backAt, ...turnedAt);
    if (unrest === null) place.restlessSince = null;
    if (time.now - since <= this.#scene.bounds.quietMs + this.#scene.bounds.wallMs || unrest === null) return;
    place.restlessSince ??= time.now;
    if (time.now - place.restlessSince <= this.#scene.bounds.turnMs) return;
    this.#scene.break("W-12", `nothing was wrong for 3 minutes, and on ${name} ${unrest}`);
  }

  #noteWay(place: FurtherPlace<unknown>, isShown: boolean, mayShow: boolean): void {
    const { line, way, toReader, toValve } = place;
    const { isDeviceWell, isUpstreamWell, outSince, time } = this.#scene;
    const isWell = isUpstreamWell && line.isWell;
    way.note(isWell, time.now);
    toReader.note(isWell && isShown, time.now);
    toValve.note(isWell && mayShow && isDeviceWell && outSince === null, time.now);
  }

  /** W-1: the wall draws no valve as live and other than it is. */
  #lookAtWall(valve: Valve): void {
    const { further, story, time } = this.#scene;
    const { wall } = further;
    const shown = wall?.screen.shows(CONTROLLER.serial, valve.number) ?? null;
    if (!wall) return;
    const words = shown ? wordsOf(shown) : "not listed";
    if (words !== wall.read.get(valve.name)) story.tell(`the wall reads: ${valve.name} ${words}`);
    wall.read.set(valve.name, words);
    const lie =
      shown === null || wall.outSince !== null
        ? null
        : lieOf(shown, valve, {
            now: time.now,
            reportedAt: this.#reports.reportedAt(valve),
            way: wall.way,
            wokeAt: wall.backAt,
            believedUntil: this.#reports.believedUntil(valve),
          });
    if (lie !== null && wall.lied.has(valve.name)) this.#scene.break("W-1", `the wall ${lie}`);
    if (lie === null) wall.lied.delete(valve.name);
    else wall.lied.add(valve.name);
  }

  /**
   * Return for how long water has run past its end while a way has been well, ms; null where it does not, or where
   * there was no way for long enough.
   */
  #pastEndMs(valve: Valve, wellSince: number | null): number | null {
    const { further, time } = this.#scene;
    const end = this.#orders.runEnd(valve);
    // A valve that was turned by hand runs without an end.
    if (!valve.isOpen || end === null || valve.last?.commandId === null || wellSince === null) return null;
    if (further.unreadableSince !== null) return null;
    const since = Math.max(end, wellSince, further.readableAt);
    return time.now - since > this.#scene.bounds.alarmMs ? time.now - end : null;
  }

  /** W-4: water that runs past its end is an urgent alarm on the wall. */
  #lookAtWallAlarms(valve: Valve): void {
    const { wall } = this.#scene.further;
    const pastMs = wall && this.#pastEndMs(valve, wall.toReader.wellSince);
    if (!wall || pastMs === null) return;
    if (wall.screen.alarms.some(({ priority, active }) => priority === 1 && active)) return;
    this.#scene.break(
      "W-4",
      `water runs in ${valve.name} ${inSeconds(pastMs)} past its end, and the wall has no urgent alarm`,
    );
  }

  /** W-4: it is one on the administrator's screen, too. */
  #lookAtUrgent(valve: Valve): void {
    const { park } = this.#scene.further;
    const pastMs = park && this.#pastEndMs(valve, park.toReader.wellSince);
    if (!park || pastMs === null) return;
    const isShown = park.screen.urgent.some(
      ({ account, priority, active }) => `${account}` === `${ACCOUNT.id}` && priority === 1 && active,
    );
    if (isShown || park.screen.namesUnwatched(`${ACCOUNT.id}`)) return;
    this.#scene.break(
      "W-4",
      `water runs in ${valve.name} ${inSeconds(pastMs)} past its end, and the administrator's screen has no urgent alarm`,
    );
  }

  /** W-10: a wall without access shows nothing live. */
  #lookAtOut(): void {
    const { further, storeTroubledAt, time } = this.#scene;
    const { wall } = further;
    if (!wall || wall.outSince === null || wall.way.since !== null || !wall.screen.isLive) return;
    const outMs = time.now - Math.max(wall.outSince, wall.way.endedAt, storeTroubledAt);
    if (outMs > this.#scene.bounds.outMs)
      this.#scene.break("W-10", `the wall is live ${inSeconds(outMs)} after its access ended`);
  }
}
