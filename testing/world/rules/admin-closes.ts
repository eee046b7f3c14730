import { ACCOUNT, CONTROLLER } from "../devices/furnish.ts";
import type { Valve } from "../devices/truth.ts";
import type { Administrator } from "../people/administrator.ts";
import type { Press } from "../people/press.ts";
import type { Scene } from "../scene/scene.ts";
import type { Orders } from "./orders.ts";
import type { Runs } from "./runs.ts";

/** Time for which she waits for a button, ms. */
const WAITS_MS = 60_000;
/** Time for which the page of the valves stays open after her last press, ms. */
const STAYS_MS = 60_000;

/** A valve that she wants to close, once its page has been open for a while. Times are ms UTC. */
interface Wanted {
  readonly valve: Valve;
  readonly from: number;
  readonly until: number;
}

/**
 * The closes of the administrator (CMD-21): each is a close for W-3 and W-14. Her screen may call one refused only where the
 * account was suspended or deleted meanwhile: the relay may then have no access to it.
 */
export class AdminCloses {
  readonly #scene: Scene;
  readonly #orders: Orders;
  readonly #screen: Administrator | null;
  #wanted: readonly Wanted[] = [];
  #looksUntil = 0;
  /** Presses that her screen has called refused. */
  readonly #refused = new Set<Press>();

  constructor(scene: Scene, orders: Orders, runs: Runs) {
    this.#scene = scene;
    this.#orders = orders;
    this.#screen = scene.further.park?.screen ?? null;
    const screen = this.#screen;
    if (!screen) return;
    screen.phone.onCloseTaken = (commandId) => {
      const press = screen.presses.get(commandId);
      if (!press) return;
      orders.closeTaken(press);
      runs.closeTaken(press);
    };
  }

  /** She opens the page of a valve, and wants to close the valve after a while. */
  want(valve: Valve, afterMs: number): void {
    if (!this.#screen) return;
    const from = this.#scene.time.now + afterMs;
    this.#wanted = [...this.#wanted, { valve, from, until: from + WAITS_MS }];
    this.#screen.phone.openOwner(`${ACCOUNT.id}`);
    this.#scene.time.after(afterMs, () => this.look());
  }

  /** She loads her page again. */
  reload(): void {
    const { further, story, time } = this.#scene;
    if (!further.park || !this.#screen?.phone.isRead) return;
    story.tell("park reloads the page");
    further.park.backAt = time.now;
    this.#screen.reload();
  }

  look(): void {
    const screen = this.#screen;
    if (!screen?.phone.isRead) return;
    this.#press(screen);
    this.#lookAtRefusals(screen);
  }

  #press(screen: Administrator): void {
    const { now } = this.#scene.time;
    const left = this.#wanted.filter(({ until }) => until >= now);
    const pressed = left.filter(({ from, valve }) => from <= now && this.#pressClose(screen, valve));
    this.#wanted = left.filter((one) => !pressed.includes(one));
    if (pressed.length > 0 || this.#wanted.length > 0) this.#looksUntil = now + STAYS_MS;
    if (this.#wanted.length > 0) screen.phone.openOwner(`${ACCOUNT.id}`);
    else if (now > this.#looksUntil) screen.phone.closeOwner();
  }

  /** Return true if the screen let her press. */
  #pressClose(screen: Administrator, valve: Valve): boolean {
    const { storeTime, story, time } = this.#scene;
    const { phone, presses } = screen;
    const offered = screen.offered(`${ACCOUNT.id}`, CONTROLLER.serial, valve.number);
    if (!offered) return false;
    const { pressedAt } = phone;
    const commandId = phone.pressCloseInFleet({
      ...{ owner: `${ACCOUNT.id}`, ownerName: ACCOUNT.username, reason: "kim asked for it on the telephone" },
      ...{ controllerId: offered.controllerId, channelId: offered.channelId, valve: valve.name },
    });
    if (commandId === null) return false;
    story.tell(`park closes ${valve.name}`);
    const at = time.now;
    this.#scene.happenedAt = at;
    // The relay counts it from the estimate itself: it has no other fields.
    const countsFrom = at - Math.max(0, pressedAt === null ? 0 : storeTime - pressedAt);
    const press: Press = { by: "park", at, countsFrom, target: 2, valve, commandId, runMs: 0 };
    presses.set(commandId, press);
    this.#orders.pressed(press);
    return true;
  }

  /** W-3: her screen gives no close up, unless its account could not be reached. */
  #lookAtRefusals({ phone, presses }: Administrator): void {
    const { further, story } = this.#scene;
    for (const { id, ended } of phone.unanswered) {
      const press = ended === undefined ? undefined : presses.get(id);
      if (!press || this.#refused.has(press)) continue;
      this.#refused.add(press);
      story.tell(`park reads that her close of ${press.valve.name} was refused: ${ended}`);
      if (further.unreadableSince !== null || further.readableAt >= press.at) this.#orders.tookBack(press);
      else this.#scene.break("W-3", `park's screen gave up her close of ${press.valve.name}: ${ended}`);
    }
  }
}
