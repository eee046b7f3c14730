import { ACCOUNT, CONTROLLER, SENSOR } from "./furnish.ts";
import { CHOI, type FurtherPlace, SENSOR_OF_CHOI } from "./further.ts";
import { BOUNDS, lieOf, wordsOf } from "./invariants.ts";
import type { Orders } from "./orders.ts";
import type { Reports } from "./reports.ts";
import type { Scene } from "./scene.ts";
import { inSeconds } from "./story.ts";
import type { Valve } from "./truth.ts";

/** Ids by which a message shows that it is about an account. */
const OF_KIM = [`${ACCOUNT.id}`, CONTROLLER.id, SENSOR.id] as const;
const OF_CHOI = [`${CHOI.id}`, SENSOR_OF_CHOI.id] as const;

/** Further screens, and what they may not show: W-1, W-4, W-10 and W-13. */
export class FurtherScreens {
  readonly #scene: Scene;
  readonly #orders: Orders;
  readonly #reports: Reports;

  constructor(scene: Scene, orders: Orders, reports: Reports) {
    this.#scene = scene;
    this.#orders = orders;
    this.#reports = reports;
    const { wall, choi } = scene.further;
    for (const { name, phone } of scene.people) this.#mayNotReceive(name, phone, OF_CHOI);
    if (wall) this.#mayNotReceive("the wall", wall.screen, OF_CHOI);
    if (choi) this.#mayNotReceive("choi", choi.screen, OF_KIM);
  }

  /** W-13: no message names anything of an account that the screen may not see. */
  #mayNotReceive(
    name: string,
    screen: { onFrame: (text: string) => void },
    foreign: readonly string[],
  ): void {
    screen.onFrame = (text) => {
      const found = foreign.find((id) => text.includes(id));
      if (found !== undefined)
        this.#scene.break("W-13", `${name} received something of another account: ${text.slice(0, 300)}`);
    };
  }

  /** Look at the further screens. */
  look(): void {
    const { further, valves } = this.#scene;
    const { wall, park, choi } = further;
    if (wall && wall.screen.at !== wall.wasAt) {
      wall.wasAt = wall.screen.at;
      this.#scene.story.tell(`the wall is ${wall.wasAt ?? "off"}`);
    }
    if (wall) this.#noteWay(wall, wall.screen.isShowing && wall.outSince === null);
    if (park) this.#noteWay(park, park.screen.phone.isRead);
    if (choi) this.#noteWay(choi, choi.screen.isRead);
    for (const valve of valves) {
      this.#lookAtWall(valve);
      this.#lookAtWallAlarms(valve);
      this.#lookAtUrgent(valve);
    }
    this.#lookAtOut();
  }

  #noteWay({ line, way, toReader }: FurtherPlace<unknown>, isShown: boolean): void {
    const { isServed, lines, time } = this.#scene;
    const isWell = isServed && lines["relay-api"].isWell && lines["relay-broker"].isWell && line.isWell;
    way.note(isWell, time.now);
    toReader.note(isWell && isShown, time.now);
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
    return time.now - since > BOUNDS.alarmMs ? time.now - end : null;
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
    const isTold = park.screen.urgent.some(
      ({ account, priority, active }) => `${account}` === `${ACCOUNT.id}` && priority === 1 && active,
    );
    if (isTold || park.screen.namesUnwatched(`${ACCOUNT.id}`)) return;
    this.#scene.break(
      "W-4",
      `water runs in ${valve.name} ${inSeconds(pastMs)} past its end, and the administrator's screen has no urgent alarm`,
    );
  }

  /** W-10: a wall without access shows nothing live. */
  #lookAtOut(): void {
    const { further, time } = this.#scene;
    const { wall } = further;
    if (!wall || wall.outSince === null || wall.way.since !== null || !wall.screen.isLive) return;
    const outMs = time.now - Math.max(wall.outSince, wall.way.endedAt);
    if (outMs > BOUNDS.outMs)
      this.#scene.break("W-10", `the wall is live ${inSeconds(outMs)} after its access ended`);
  }
}
