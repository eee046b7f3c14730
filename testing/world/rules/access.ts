import { adminUserDelete, adminUserRestore, adminUserUpdate } from "@mulkko/shared/rest/operations/admin";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { relayPath } from "@mulkko/shared/rest/routes";
import { buildDisplaySettings } from "@mulkko/shared/testing/builders";
import { setPassword } from "../../../api/src/accounts/repository.ts";
import { beginSession, revokeAllSessions } from "../../../api/src/accounts/sessions.ts";
import type { App as ApiApp } from "../../../api/src/http/server.ts";
import { ACCOUNT } from "../devices/furnish.ts";
import type { Person } from "../people/person.ts";
import type { Phone } from "../people/phone.ts";
import type { Wall } from "../people/wall.ts";
import type { Happening } from "../plan/plan.ts";
import { type FurtherPlace, PARK } from "../scene/further.ts";
import type { Scene } from "../scene/scene.ts";
import { inSeconds } from "../scene/story.ts";
import type { Office, OfficeCall } from "./office.ts";

/** A happening by which access ends. */
export type EndOfAccess = Extract<
  Happening,
  {
    kind: "shut-out" | "suspend" | "new-password" | "delete" | "log-out" | "revoke-wall" | "wall-power";
  }
>;

type Account = typeof ACCOUNT;

/** Interval at which a code on the wall is looked for, ms. */
const CODE_MS = 1_000;
/** Time in which a wall fetches its token after an approval, ms: it asks each 5 s. */
const FETCHED_MS = 6_000;
/** Delay after an approval without success, ms: the relay counts guesses. */
const APPROVE_AGAIN_MS = 20_000;

/** Put the tokens of a new session into a browser, as a login does. */
export async function signIn(
  phone: Phone,
  account: Account,
  { database, tokens }: ApiApp,
  now: number,
): Promise<void> {
  const pair = await beginSession(database, tokens, `${account.id}`, account.username, now);
  phone.signIn({ account, ...pair });
}

/** How access ends in a world, and begins again. */
export class Access {
  readonly #scene: Scene;
  readonly #office: Office;
  #isPairing = false;

  constructor(scene: Scene, office: Office) {
    this.#scene = scene;
    this.#office = office;
  }

  /** Let access end now. */
  end(happening: EndOfAccess): void {
    const { ms } = happening;
    switch (happening.kind) {
      case "shut-out":
        this.#end("all sessions of kim are ended", (ended) => this.#revoke(ended), ms);
        return;
      case "new-password":
        this.#end("kim gets a new password", (ended) => this.#newPassword(ended), ms);
        return;
      case "suspend":
        this.#suspend(happening.via, ms);
        return;
      case "delete":
        this.#delete(happening.via, ms);
        return;
      case "log-out":
        this.#logOut(this.#scene.person(happening.person), ms);
        return;
      case "revoke-wall":
        this.#revokeWall(ms);
        return;
      case "wall-power":
        this.#cutPower(ms);
        return;
    }
  }

  /** Pair the wall, if it has no access: it shows a code, which kim approves. */
  pairWall(): void {
    const { wall } = this.#scene.further;
    if (!wall || wall.outSince === null || this.#isPairing) return;
    this.#isPairing = true;
    this.#approve(wall);
  }

  #approve(wall: FurtherPlace<Wall>): void {
    const { time } = this.#scene;
    const { screen } = wall;
    const again = (ms: number): void => void time.after(ms, () => this.#approve(wall));
    if (screen.isShowing) {
      this.#isPairing = false;
      this.#wallIsBack();
      return;
    }
    if (screen.at === "revoked") screen.forget();
    const { code } = screen;
    // A person who is out approves nothing.
    if (code === null || this.#scene.outSince !== null) {
      again(CODE_MS);
      return;
    }
    const settings = buildDisplaySettings({ name: "Wall" });
    const call: OfficeCall = { method: "POST", path: relayPath.displays, body: { code, settings } };
    // From the approval on it may show the farm again.
    wall.outSince = Number.POSITIVE_INFINITY;
    this.#office.actOnce(`${ACCOUNT.id}`, "relay", call, (status) =>
      again(status === 201 ? FETCHED_MS : APPROVE_AGAIN_MS),
    );
  }

  #wallIsBack(): void {
    const { further, story, time } = this.#scene;
    if (!further.wall) return;
    story.tell("the wall is paired");
    further.wall.outSince = null;
    further.wall.backAt = time.now;
    this.#scene.happenedAt = time.now;
  }

  /** @param end ends it, and calls back with the outcome; then a while passes, and the people sign in again */
  #end(text: string, end: (ended: () => void) => void, ms: number): void {
    const scene = this.#scene;
    if (scene.outSince !== null) return;
    scene.outSince = Number.POSITIVE_INFINITY;
    end(() => {
      scene.outSince = scene.time.now;
      scene.story.tell(text);
      scene.time.after(ms, () => this.#signInAgain());
    });
  }

  #revoke(ended: () => void): void {
    this.#scene.atApi(async ({ database }) => {
      await revokeAllSessions(database, `${ACCOUNT.id}`, null, this.#scene.api.machine.clock.now());
      ended();
    });
  }

  #newPassword(ended: () => void): void {
    const { api, further } = this.#scene;
    const { wall } = further;
    if (wall) wall.outSince ??= Number.POSITIVE_INFINITY;
    const id = `${ACCOUNT.id}`;
    this.#scene.atApi(async ({ database, ingest }) => {
      const now = api.machine.clock.now();
      await database.transaction(async (tx) => {
        await setPassword(tx, id, "-", now);
        await revokeAllSessions(tx, id, null, now);
      });
      ingest.outputs.changed(id, "password", id);
      if (wall) wall.outSince = this.#scene.time.now;
      ended();
    });
  }

  #suspend(via: "api" | "relay", ms: number): void {
    const scene = this.#scene;
    if (scene.outSince !== null) return;
    scene.outSince = Number.POSITIVE_INFINITY;
    scene.further.unreadable();
    const { wall } = scene.further;
    const isWallPaired = wall?.outSince === null;
    if (wall && isWallPaired) wall.outSince = Number.POSITIVE_INFINITY;
    const change = (disabled: boolean, done: () => void): void =>
      this.#office.act(
        `${PARK.id}`,
        via,
        { method: "PUT", path: pathTo(adminUserUpdate, { id: `${ACCOUNT.id}` }), body: { disabled } },
        (status) => {
          if (status === 200) done();
          else throw new Error(`a suspension was answered ${status}`);
        },
      );
    change(true, () => {
      scene.outSince = scene.time.now;
      if (wall && isWallPaired) wall.outSince = scene.time.now;
      scene.story.tell(`park suspends kim for ${inSeconds(ms)} (by the ${via})`);
      scene.time.after(ms, () => {
        if (wall && isWallPaired) wall.outSince = Number.POSITIVE_INFINITY;
        change(false, () => {
          scene.story.tell("park lifts the suspension");
          scene.further.readable();
          // It continues by itself.
          if (wall && isWallPaired) wall.outSince = null;
          this.#signInAgain();
        });
      });
    });
  }

  #delete(via: "api" | "relay", ms: number): void {
    const scene = this.#scene;
    // The modes of a deleted account do not water.
    if (scene.outSince !== null || scene.plan.waterings?.length || scene.plan.automatic) return;
    scene.outSince = Number.POSITIVE_INFINITY;
    scene.further.unreadable();
    const { wall } = scene.further;
    if (wall) wall.outSince ??= Number.POSITIVE_INFINITY;
    scene.deletedFrom = scene.time.now;
    scene.deletedTo = Number.POSITIVE_INFINITY;
    const id = `${ACCOUNT.id}`;
    const act = (call: OfficeCall, done: () => void): void =>
      // 404: an earlier call whose answer was lost has done it.
      this.#office.act(`${PARK.id}`, via, call, (status) => {
        if (status === 200 || status === 204 || status === 404) done();
        else throw new Error(`${call.path} was answered ${status}`);
      });
    act({ method: "DELETE", path: pathTo(adminUserDelete, { id }) }, () => {
      scene.outSince = scene.time.now;
      if (wall) wall.outSince = scene.time.now;
      scene.story.tell(`park deletes the account of kim for ${inSeconds(ms)} (by the ${via})`);
      scene.time.after(ms, () =>
        act({ method: "POST", path: pathTo(adminUserRestore, { id }) }, () => {
          scene.story.tell("park restores the account");
          scene.deletedTo = scene.time.now;
          scene.further.readable();
          this.#signInAgain();
        }),
      );
    });
  }

  #logOut(person: Person | null, ms: number): void {
    const scene = this.#scene;
    if (!person?.phone.isRead || scene.outSinceOf(person) !== null) return;
    const { name, phone } = person;
    scene.story.tell(`${name} logs out`);
    phone.logOut();
    person.outSince = scene.time.now;
    scene.time.after(ms, () => {
      scene.atApi(async (app) => {
        // The account may have ended meanwhile: then all sign in again.
        if (scene.outSince !== null) return;
        scene.story.tell(`${name} signs in again`);
        phone.close();
        await signIn(phone, ACCOUNT, app, scene.api.machine.clock.now());
        person.outSince = null;
        scene.happenedAt = scene.time.now;
        phone.open();
      });
    });
  }

  #revokeWall(ms: number): void {
    const { further, story, time } = this.#scene;
    const { wall } = further;
    const id = wall?.screen.displayId ?? null;
    if (!wall || wall.outSince !== null || id === null || this.#scene.outSince !== null) return;
    wall.outSince = Number.POSITIVE_INFINITY;
    this.#office.act(`${ACCOUNT.id}`, "relay", { method: "DELETE", path: relayPath.display(id) }, () => {
      wall.outSince = time.now;
      story.tell("the wall is revoked");
      time.after(ms, () => this.pairWall());
    });
  }

  #cutPower(ms: number): void {
    const { further, story, time } = this.#scene;
    const screen = further.wall?.screen;
    if (!screen?.machine.isOn) return;
    story.tell(`the wall has no power for ${inSeconds(ms)}`);
    screen.powerOff();
    time.after(ms, () => {
      story.tell("the wall is switched on");
      screen.powerOn();
    });
  }

  #signInAgain(): void {
    const scene = this.#scene;
    scene.atApi(async (app) => {
      scene.story.tell("they sign in again");
      for (const { phone } of scene.people) {
        phone.close();
        await signIn(phone, ACCOUNT, app, scene.api.machine.clock.now());
      }
      scene.outSince = null;
      scene.happenedAt = scene.time.now;
      for (const person of scene.people) {
        person.outSince = null;
        person.phone.open();
      }
      this.pairWall();
    });
  }
}
