import {
  buildPlainFarm,
  createPlainApiCalls,
  koreanTime,
  type PlainApiCalls,
  type PlainApiOrder,
  type PlainApiRow,
  type PlainFarm,
} from "../../../relay/testing/plain-api.ts";
import { CONTROLLER } from "../devices/furnish.ts";
import type { PlainCommand, PlainController } from "../devices/plain-controller.ts";
import type { Valve } from "../devices/truth.ts";
import type { Report } from "../devices/valve-controller.ts";
import type { Injectable, Injected } from "../network/http.ts";
import type { Machine, Process } from "../network/machine.ts";
import type { BadAnswers, PlainKind } from "../plan/plain-plan.ts";

/** The only user. */
export const FARMER = { username: "farmer", password: "password1" };
const CONTROLLER_ID = 3;
const SLOW_MS = 4_000;
const ROWS_AT_MOST = 500;
const channelId = (number: number): number => 10 + number;
const stateKey = (number: number): string => `${CONTROLLER.serial}/${channelId(number)}`;

function farmOf(valves: readonly Valve[]): PlainFarm {
  return buildPlainFarm({
    farms: [{ id: 5, name: "House", description: "", sensors: [] }],
    controllers: [
      {
        id: CONTROLLER_ID,
        serial: CONTROLLER.serial,
        name: "Valve box",
        description: "",
        type: "CON04V",
        channels: valves.map(({ number }) => ({ id: channelId(number), channelNumber: number, sensors: [] })),
      },
    ],
  });
}

/** A farm API that knows only the calls of the specification, on a machine. Its database outlives its process. */
export class PlainFarmApi {
  readonly machine: Machine;
  readonly #kind: PlainKind;
  readonly #controller: PlainController;
  readonly #valves: readonly Valve[];
  readonly #calls: PlainApiCalls;
  /** Commands that wait for a controller that sleeps. */
  #waiting: PlainCommand[] = [];
  #bad: BadAnswers | null = null;
  #process: Process | null = null;
  #app: Injectable | null = null;
  /** Called when it has carried out a log-out. */
  onLogOut: () => void = () => undefined;

  constructor(
    parts: {
      readonly machine: Machine;
      readonly controller: PlainController;
      readonly valves: readonly Valve[];
    },
    kind: PlainKind,
  ) {
    this.machine = parts.machine;
    this.#controller = parts.controller;
    this.#valves = parts.valves;
    this.#kind = kind;
    this.#calls = createPlainApiCalls(farmOf(parts.valves), {
      accessToken: null,
      now: this.machine.clock.now,
      timers: { after: (ms, run) => this.#running().timers.after(ms, run) },
      turn: (order) => this.#command(order),
    });
    this.#calls.habits.writesBy = kind.writesBy;
    this.#calls.habits.bodies = kind.bodies;
    this.#calls.habits.oddFields = kind.hasOddFields === true;
    for (const { number } of parts.valves) this.#state(number, false);
    parts.controller.onReport = (reports) => this.#reported(reports);
  }

  /** The running process; null while there is none. */
  get app(): Injectable | null {
    return this.#app;
  }

  get server(): Injectable | null {
    return this.#app;
  }

  /** True while it answers as it should. */
  get answersWell(): boolean {
    return this.#bad === null;
  }

  /** True while its lists are empty, whatever it has. */
  get hidesAll(): boolean {
    return this.#bad === "empty";
  }

  async start(): Promise<void> {
    this.#process = this.machine.boot();
    this.#app = { inject: (request) => this.#inject(request) };
  }

  kill(): void {
    this.#app = null;
    this.#process = null;
    this.machine.kill();
  }

  /** Name of its farm; null: it has none. */
  get farmName(): string | null {
    const name = this.#calls.farm.farms[0]?.name;
    return typeof name === "string" ? name : null;
  }

  /** Names of all its farms. */
  get farmNames(): readonly string[] {
    return this.#calls.farm.farms.map(({ name }) => String(name));
  }

  /** Return true if it answers that a valve is open. */
  answersOpen({ number }: Valve): boolean {
    return this.#calls.farm.states.get(stateKey(number))?.onoff === 1;
  }

  /** Answer badly from now on; null: well again. */
  answerBadly(how: BadAnswers | null): void {
    this.#bad = how;
    const { habits } = this.#calls;
    habits.afterDeed = how === "after-500" ? "500" : how === "after-cut" ? "cut" : null;
    habits.emptyLists = how === "empty";
    this.#calls.failWith = how === "500" ? 500 : how === "503" ? 503 : null;
  }

  /** End all sessions, that of the relay among them. */
  endSessions(): void {
    this.#calls.tokens.clear();
    this.#calls.refreshTokens.clear();
  }

  #running(): Process {
    if (this.#process === null) throw new Error("the plain farm API does not run");
    return this.#process;
  }

  async #inject({
    method,
    url,
    headers,
    payload = "",
  }: Parameters<Injectable["inject"]>[0]): Promise<Injected> {
    const { timers } = this.#running();
    if (this.#bad === "slow") await new Promise<void>((resolve) => timers.after(SLOW_MS, resolve));
    const path = decodeURIComponent(url);
    if (this.#bad === "html")
      return { statusCode: 200, headers: { "content-type": "text/html" }, body: "<html>Back soon</html>" };
    if (this.#bad === "refresh-500" && path.endsWith("/refresh"))
      return { statusCode: 500, headers: {}, body: "" };
    const known = new Set(this.#calls.tokens);
    const token = headers.authorization?.replace(/^Bearer /, "");
    const lower = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const answer = this.#calls.answer({ method, path, token, body: payload }, lower);
    for (const issued of this.#calls.tokens) if (!known.has(issued)) this.#age(issued);
    const isOver = token !== undefined && known.has(token) && !this.#calls.tokens.has(token);
    if (isOver && path.endsWith("/account/logout")) this.onLogOut();
    if (answer === null) throw new Error("cut in place of an answer");
    return { statusCode: answer.status, headers: answer.headers, body: answer.body };
  }

  #age(token: string): void {
    const { tokenMs } = this.#kind;
    if (tokenMs !== undefined) this.#running().timers.after(tokenMs, () => this.#calls.tokens.delete(token));
  }

  #command({ key, payload, headers }: PlainApiOrder): void {
    const valve = this.#valves.find(({ number }) => stateKey(number) === key);
    const commandId = headers["idempotency-key"];
    if (!valve) return;
    const isOpen = payload === 1;
    const command = {
      commandId: typeof commandId === "string" ? commandId : null,
      number: valve.number,
      isOpen,
    };
    if (this.#kind.isHasty) this.#state(valve.number, isOpen);
    if (this.#kind.isAsleep) this.#waiting.push(command);
    else this.#controller.send(command);
  }

  #reported(reports: readonly Report[]): void {
    if (this.#app === null) return;
    for (const { number, isOpen } of reports) this.#state(number, isOpen);
    for (const command of this.#waiting.splice(0)) this.#controller.send(command);
  }

  #state(number: number, isOpen: boolean): void {
    const { cotLogs, states } = this.#calls.farm;
    const key = stateKey(number);
    const now = this.machine.clock.now();
    const onoff = isOpen ? 1 : 2;
    const isMoved = states.get(key)?.onoff !== onoff;
    const modes = { automatic: 0, reservation: 0, period: 0 };
    states.set(key, { onoff, ...modes, ...(this.#kind.hasTime && { createdDate: koreanTime(now) }) });
    if (!isMoved && !this.#kind.logsReports) return;
    const log = `${CONTROLLER_ID}/${number}`;
    const row: PlainApiRow = { at: now, fields: { valve: onoff, moisture: 30 } };
    cotLogs.set(log, [...(cotLogs.get(log) ?? []), row].slice(-ROWS_AT_MOST));
  }
}
