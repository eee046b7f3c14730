import { buildAccount } from "@mulkko/shared/testing/builders";
import { seededRandom } from "@mulkko/shared/testing/random";
import { hashSecret } from "../../../api/src/accounts/key.ts";
import { insertAccount } from "../../../api/src/accounts/repository.ts";
import type { App as ApiApp } from "../../../api/src/http/server.ts";
import { Sensor } from "../devices/sensor.ts";
import type { WorldBroker } from "../network/broker.ts";
import { Line } from "../network/line.ts";
import { Machine } from "../network/machine.ts";
import { Trouble } from "../network/trouble.ts";
import type { WorldTime } from "../network/world-time.ts";
import { Administrator } from "../people/administrator.ts";
import { Phone } from "../people/phone.ts";
import { Wall } from "../people/wall.ts";
import type { FurtherName } from "../plan/access-plan.ts";
import type { Plan } from "../plan/plan.ts";
import type { Relays } from "../servers/relays.ts";

/** The administrator, who has no devices. */
export const PARK = buildAccount({
  id: "00000000-0000-4000-8000-0000000000a1",
  username: "park",
  userType: "ADMIN",
});
/** A person of another account, with one sensor. */
export const CHOI = buildAccount({ id: "00000000-0000-4000-8000-0000000000c1", username: "choi" });
export const SENSOR_OF_CHOI = {
  id: "30000000-0000-4000-8000-0000000000c1",
  serial: 300_901,
  key: "key-of-choi",
};

/** A further screen, and the memory of the world about it. */
export class FurtherPlace<Screen> {
  readonly screen: Screen;
  readonly line: Line;
  /** The way from the API to the screen, whether it shows anything or not. */
  readonly way = new Trouble();
  /** The same way to a screen that shows its pages. */
  readonly toReader = new Trouble();
  /** The same way with that from the API to the valves. */
  readonly toValve = new Trouble();
  /** The way of an administrator's command from the screen to the valves, while their account can be reached. */
  readonly toClose = new Trouble();
  /** Since when something is not well on the screen although nothing is wrong, ms UTC; null while all is well. */
  restlessSince: number | null = null;
  /** Texts of the screen about each valve. */
  readonly read = new Map<string, string>();
  /** Valves about which the screen lied at the last look. */
  readonly lied = new Set<string>();
  /** Since when its access is over, ms UTC; ∞ while it ends; null while it has access. */
  outSince: number | null = null;
  /** State of a wall at the last look; null: without power. */
  wasAt: Wall["at"] = null;
  /** When it last got access, ms UTC. */
  backAt: number;

  constructor(screen: Screen, line: Line, start: number) {
    this.screen = screen;
    this.line = line;
    this.backAt = start;
  }
}

const RIGHT = { offsetMs: 0, drift: 0 };
const KEEP_ALIVE_MS = 30_000;
const READING_MS = 20_000;

/** The screens beside those of the account of kim, with their machines and lines. */
export class Further {
  readonly wall: FurtherPlace<Wall> | null;
  readonly park: FurtherPlace<Administrator> | null;
  readonly choi: FurtherPlace<Phone> | null;
  readonly lines: Readonly<Record<"wall-relay" | "park-relay" | "choi-relay", Line>>;
  /** The sensor of choi, on a line that never fails; null without choi. */
  readonly sensor: Sensor | null;
  /** Since when the account of kim may be read by nothing (suspended, deleted), ms UTC; null while it may. */
  unreadableSince: number | null = null;
  /** When that last ended, ms UTC. */
  readableAt = Number.NEGATIVE_INFINITY;
  readonly #time: WorldTime;
  readonly #start: number;

  constructor(
    plan: Plan,
    parts: {
      readonly time: WorldTime;
      readonly relay: Machine;
      readonly relays: Relays;
      readonly api: Machine;
      readonly broker: WorldBroker;
      readonly onError: (error: unknown) => void;
    },
  ) {
    const { time, relay, relays, api, broker, onError } = parts;
    this.#time = time;
    this.#start = time.now;
    const random = (part: number) => seededRandom(plan.seed * 37 + part);
    const machine = (name: FurtherName): Machine =>
      new Machine(name, time, plan.further?.find((one) => one.name === name) ?? RIGHT);
    const [wall, park, choi] = [machine("wall"), machine("park"), machine("choi")];
    this.lines = {
      "wall-relay": new Line(wall, relay, time, random(1)),
      "park-relay": new Line(park, relay, time, random(2)),
      "choi-relay": new Line(choi, relay, time, random(3)),
    };
    const has = (name: FurtherName): boolean => plan.further?.some((one) => one.name === name) ?? false;
    const place = <Screen>(
      name: FurtherName,
      create: (line: Line) => Screen,
    ): FurtherPlace<Screen> | null => {
      const line = this.lines[`${name}-relay`];
      return has(name) ? new FurtherPlace(create(line), line, this.#start) : null;
    };
    const common = { time, relays, onError };
    this.wall = place("wall", (line) => new Wall({ ...common, machine: wall, line, random: random(4) }));
    this.park = place(
      "park",
      (line) => new Administrator(new Phone({ ...common, machine: park, line, random: random(5) })),
    );
    this.choi = place("choi", (line) => new Phone({ ...common, machine: choi, line, random: random(6) }));
    const box = new Machine("sensor of choi", time, RIGHT);
    this.sensor = this.choi
      ? new Sensor(
          { ...SENSOR_OF_CHOI, time, machine: box, line: new Line(box, api, time, random(7)), broker },
          { reportMs: READING_MS, keepAliveMs: KEEP_ALIVE_MS, hasClock: true },
        )
      : null;
  }

  /** The account of kim can be read by nothing from now on. */
  unreadable(): void {
    this.unreadableSince ??= this.#time.now;
  }

  /** The account of kim can be read again. */
  readable(): void {
    this.unreadableSince = null;
    this.readableAt = this.#time.now;
  }

  /** Store the accounts and the sensor. */
  async furnish({ database }: ApiApp): Promise<void> {
    for (const { id, username } of [PARK, CHOI]) {
      const userType = id === PARK.id ? "ADMIN" : "USER";
      const account = { id: `${id}`, username, passwordHash: "-", nickname: username, userType } as const;
      await insertAccount(database, account, this.#start);
    }
    if (!this.choi) return;
    const { id, serial, key } = SENSOR_OF_CHOI;
    await database.query(
      "insert into device (id, serial, kind, account_id, key_hash, created_at) values ($1, $2, 'sensor', $3, $4, $5)",
      [id, serial, `${CHOI.id}`, hashSecret(key), new Date(this.#start)],
    );
    await database.query("insert into sensor (id, name, device_type) values ($1, 'Field', 'SMS')", [id]);
  }

  close(): void {
    this.wall?.screen.powerOff();
    this.park?.screen.phone.close();
    this.choi?.screen.close();
    this.sensor?.powerOff();
  }
}
