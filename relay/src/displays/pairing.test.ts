import {
  CODE_LENGTH,
  CODE_LETTERS,
  DISPLAY_TOKEN_PREFIX,
  Display,
  DisplayList,
  OwnDisplay,
  PendingCode,
} from "@mulkko/shared/rest/displays";
import { ErrorBody } from "@mulkko/shared/rest/errors";
import { apiPath, relayPath } from "@mulkko/shared/rest/routes";
import { describe, expect, test } from "vitest";
import { until } from "../testing/until.ts";
import {
  askCode,
  buildSettings,
  collect,
  MINE,
  pair,
  read,
  sharedDisplayRig,
  THEIRS,
  TOKEN,
} from "./testing/display-rig.ts";

describe("pairing a screen", () => {
  const { rig, call } = sharedDisplayRig();
  const refusal = async (response: Response): Promise<string> => {
    const { status, code } = await read(response, ErrorBody);
    expect(response.status).toBe(status);
    return `${status} ${code}`;
  };
  const list = async () =>
    (await read(await call("GET", relayPath.displays, { token: TOKEN }), DisplayList)).displays;

  test("[displays] a screen asks for a code, a signed-in person approves it, and the screen gets its token once", async () => {
    const asked = await askCode(rig().origin);
    expect(asked.code).toMatch(new RegExp(`^[${CODE_LETTERS}]{${CODE_LENGTH}}$`));
    expect(asked).toMatchObject({ expiresInSeconds: 600, intervalSeconds: 5 });
    expect(asked.approvePath).toBe(`/displays?code=${asked.code}`);
    const typed = `${asked.code.slice(0, 4).toLowerCase()}-${asked.code.slice(4)}`;
    const pending = await read(
      await call("GET", relayPath.displayCode(typed), { token: TOKEN }),
      PendingCode,
    );
    expect(pending).toMatchObject({ code: asked.code, agent: "TV browser", address: "127.0.0.1" });
    const body = { code: typed, settings: buildSettings() };
    const approved = await call("POST", relayPath.displays, { token: TOKEN, body });
    expect(approved.status).toBe(201);
    const display = await read(approved, Display);
    expect(display).toMatchObject({ username: "farmer", connected: false, lastSeenAt: null });
    expect(await refusal(await call("POST", relayPath.displays, { token: TOKEN, body }))).toBe(
      "404 not-found",
    );
    const answer = await collect(rig().origin, asked.deviceCode);
    if (answer.state !== "approved") throw new Error(answer.state);
    // 256 bits, each six of them a letter.
    expect(answer.token.slice(DISPLAY_TOKEN_PREFIX.length)).toMatch(/^[\w-]{43}$/);
    expect(answer.display.id).toBe(display.id);
    const own = await read(await call("GET", relayPath.ownDisplay, { token: answer.token }), OwnDisplay);
    expect(own).toMatchObject({ display: { id: display.id }, zone: "Asia/Seoul" });
    expect(await collect(rig().origin, asked.deviceCode)).toEqual({ state: "expired" });
    expect((await list()).map(({ id }) => id)).toContain(display.id);
  });

  test("[displays] a screen that has not heard its token asks once more; the one that was lost opens nothing", async () => {
    const asked = await askCode(rig().origin);
    const body = { code: asked.code, settings: buildSettings() };
    const display = await read(await call("POST", relayPath.displays, { token: TOKEN, body }), Display);
    const hear = async () => {
      const answer = await collect(rig().origin, asked.deviceCode);
      if (answer.state !== "approved") throw new Error(answer.state);
      expect(answer.display.id).toBe(display.id);
      return answer.token;
    };
    const [unheard, token] = [await hear(), await hear()];
    expect((await call("GET", relayPath.ownDisplay, { token: unheard })).status).toBe(401);
    expect((await call("GET", relayPath.ownDisplay, { token })).status).toBe(200);
    expect(await collect(rig().origin, asked.deviceCode)).toEqual({ state: "expired" });
  });

  test("[displays] a screen that polls too soon is told to slow down, and one that nobody knows asks anew", async () => {
    const { deviceCode } = await askCode(rig().origin);
    expect(await collect(rig().origin, deviceCode)).toEqual({ state: "pending" });
    expect(await collect(rig().origin, deviceCode)).toEqual({ state: "slowDown" });
    expect(await collect(rig().origin, "x".repeat(43))).toEqual({ state: "expired" });
  });

  test("[displays] nobody approves without signing in, a farm that is not theirs, or the fleet as a USER", async () => {
    const { code } = await askCode(rig().origin);
    const approve = (settings: object, token?: string) =>
      call("POST", relayPath.displays, { body: { code, settings }, ...(token && { token }) });
    expect(await refusal(await approve(buildSettings()))).toBe("401 unauthorized");
    expect(await refusal(await approve(buildSettings({ farms: [99] }), TOKEN))).toBe("422 validation");
    expect(await refusal(await approve(buildSettings({ pages: ["fleet"] }), TOKEN))).toBe("422 validation");
    expect(await refusal(await approve({ ...buildSettings(), name: "  " }, TOKEN))).toBe("422 validation");
    expect(await refusal(await call("GET", relayPath.displayCode("BCDFGHJK"), { token: TOKEN }))).toBe(
      "404 not-found",
    );
    expect((await approve(buildSettings(), TOKEN)).status).toBe(201);
  });

  test("[displays] a display is renamed, moved to another farm and revoked; its token then opens nothing", async () => {
    const { token, display } = await pair(rig().origin);
    const settings = buildSettings({ name: "Hall", farms: [THEIRS.farm] });
    const changed = await call("PUT", relayPath.display(display.id), { token: TOKEN, body: { settings } });
    expect((await read(changed, Display)).settings).toMatchObject({
      name: "Hall",
      farms: [String(THEIRS.farm)],
    });
    const own = await read(await call("GET", relayPath.ownDisplay, { token }), OwnDisplay);
    expect(own.display.settings.name).toBe("Hall");
    expect((await call("DELETE", relayPath.display(display.id), { token: TOKEN })).status).toBe(204);
    expect(await refusal(await call("GET", relayPath.ownDisplay, { token }))).toBe("401 display-revoked");
    expect(await refusal(await call("DELETE", relayPath.display(display.id), { token: TOKEN }))).toBe(
      "404 not-found",
    );
    expect((await list()).map(({ id }) => id)).not.toContain(display.id);
  });

  test("[displays] a display is renamed also where one of its farms is gone, by whoever minds it", async () => {
    const shown = buildSettings({ farms: [MINE.farm, THEIRS.farm] });
    const { display } = await pair(rig().origin, shown);
    const { account, api } = rig();
    const admin = { ...account.account, id: "u-renames", username: "renames", userType: "ADMIN" };
    api.accounts.push({ ...account, account: admin, token: "token-renames" });
    const { farms } = account;
    const other = await pair(rig().origin);
    account.farms = farms.filter(({ id }) => id !== THEIRS.farm);
    await rig().restart();
    const put = (id: string, settings: Display["settings"], token = TOKEN) =>
      call("PUT", relayPath.display(id), { token, body: { settings } });
    expect(await refusal(await put(other.display.id, shown))).toBe("422 validation");
    for (const token of [TOKEN, "token-renames"]) {
      const renamed = await put(display.id, { ...shown, name: `by ${token}` }, token);
      expect((await read(renamed, Display)).settings).toMatchObject({
        name: `by ${token}`,
        farms: [String(MINE.farm), String(THEIRS.farm)],
      });
    }
    account.farms = farms;
    await rig().restart();
  });

  test("[displays] another account neither sees nor touches a display; an administrator does both", async () => {
    const { display } = await pair(rig().origin);
    const { accounts } = rig().api;
    const other = { ...rig().account, account: { ...rig().account.account, id: "u2", username: "other" } };
    accounts.push({ ...other, token: "token-other" });
    const admin = { ...rig().account.account, id: "u3", username: "admin", userType: "ADMIN" };
    accounts.push({ ...rig().account, account: admin, token: "token-admin" });
    const listOf = async (token: string) =>
      (await read(await call("GET", relayPath.displays, { token }), DisplayList)).displays;
    expect(await listOf("token-other")).toEqual([]);
    expect((await listOf("token-admin")).map(({ id }) => id)).toContain(display.id);
    const revoke = (token: string) => call("DELETE", relayPath.display(display.id), { token });
    expect(await refusal(await revoke("token-other"))).toBe("404 not-found");
    expect((await revoke("token-admin")).status).toBe(204);
    const deeds = () => rig().api.deeds.filter(({ subject }) => subject.id === display.id);
    await until(() => deeds().length > 0);
    expect(deeds()).toMatchObject([
      {
        actor: { id: "u3", username: "admin" },
        action: "display-revoke",
        subject: { kind: "display", id: display.id, name: "Control room" },
        before: {
          name: "Control room",
          farms: `${MINE.farm}`,
          pages: "overview, alarms",
          turnSeconds: "20",
          sound: "off",
        },
      },
    ]);
  });

  test("[displays] a display goes with its account, whoever has deleted it", async () => {
    const { accounts } = rig().api;
    const join = (id: string, token: string, userType = "USER") =>
      accounts.push({
        ...rig().account,
        account: { ...rig().account.account, id, username: id, userType },
        token,
      });
    join("u-chief", "token-chief", "ADMIN");
    join("u-first", "token-first");
    join("u-second", "token-second");
    const ownOf = (token: string) => call("GET", relayPath.ownDisplay, { token });
    const first = await pair(rig().origin, buildSettings(), { token: "token-first" });
    const second = await pair(rig().origin, buildSettings(), { token: "token-second" });
    // Through the relay: at once.
    await call("DELETE", apiPath.adminUserDelete("u-first"), { token: "token-chief" });
    await until(async () => (await ownOf(first.token)).status === 401);
    expect(await refusal(await ownOf(first.token))).toBe("401 display-revoked");
    expect((await ownOf(second.token)).status).toBe(200);
    // At the API itself: as soon as the relay asks for a session with it.
    accounts.splice(
      accounts.findIndex(({ account }) => account.id === "u-second"),
      1,
    );
    await rig()
      .app.heart.owners.ownToken("u-second")
      .catch(() => undefined);
    await until(async () => (await ownOf(second.token)).status === 401);
  });

  test("[NODE-4] a display outlives a restart, and its token is nowhere in the store", async () => {
    const { token, display } = await pair(rig().origin);
    await rig().restart();
    const own = await read(await call("GET", relayPath.ownDisplay, { token }), OwnDisplay);
    expect(own.display.id).toBe(display.id);
    expect(JSON.stringify(rig().app.heart.displays.desk.record(display.id))).not.toContain(token.slice(4));
  });

  test("[displays] guesses of codes are limited, by account and by address", async () => {
    const statuses = new Set<number>();
    for (let n = 0; n < 70; n += 1) {
      statuses.add((await call("GET", relayPath.displayCode("ZZZZZZZZ"), { token: TOKEN })).status);
    }
    expect([...statuses]).toEqual([404, 429]);
    for (let n = 0; n < 70; n += 1) statuses.add((await call("POST", relayPath.displayCodes)).status);
    expect([...statuses].sort()).toEqual([201, 404, 429]);
  });
});
