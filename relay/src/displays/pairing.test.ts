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
import { adminUserDelete } from "@mulkko/shared/rest/operations/admin";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { relayPath } from "@mulkko/shared/rest/routes";
import { read } from "@mulkko/testing/stack/account";
import { askCode, collectToken, TV_BROWSER } from "@mulkko/testing/stack/displays";
import { describe, expect, test } from "vitest";
import {
  buildSettings,
  MINE,
  pair,
  sharedDisplayHarness,
  THEIRS,
  TOKEN,
} from "../../testing/displays/display-harness.ts";
import { until } from "../../testing/until.ts";

describe("pairing a screen", () => {
  const { harness, call } = sharedDisplayHarness();
  const refusal = async (response: Response): Promise<string> => {
    const { status, code } = await read(response, ErrorBody);
    expect(response.status).toBe(status);
    return `${status} ${code}`;
  };
  const list = async () =>
    (await read(await call("GET", relayPath.displays, { token: TOKEN }), DisplayList)).displays;

  test("[displays] a screen requests a code, a signed-in person approves it, and the screen gets its token once", async () => {
    const asked = await askCode(harness().origin);
    expect(asked.code).toMatch(new RegExp(`^[${CODE_LETTERS}]{${CODE_LENGTH}}$`));
    expect(asked).toMatchObject({ expiresInSeconds: 600, intervalSeconds: 5 });
    expect(asked.approvePath).toBe(`/displays?code=${asked.code}`);
    const typed = `${asked.code.slice(0, 4).toLowerCase()}-${asked.code.slice(4)}`;
    const pending = await read(
      await call("GET", relayPath.displayCode(typed), { token: TOKEN }),
      PendingCode,
    );
    expect(pending).toMatchObject({ code: asked.code, agent: TV_BROWSER, address: "127.0.0.1" });
    const body = { code: typed, settings: buildSettings() };
    const approved = await call("POST", relayPath.displays, { token: TOKEN, body });
    expect(approved.status).toBe(201);
    const display = await read(approved, Display);
    expect(display).toMatchObject({ username: "farmer", connected: false, lastSeenAt: null });
    expect(await refusal(await call("POST", relayPath.displays, { token: TOKEN, body }))).toBe(
      "404 not-found",
    );
    const answer = await collectToken(harness().origin, asked.deviceCode);
    if (answer.state !== "approved") throw new Error(answer.state);
    // 256 bits, six in each character.
    expect(answer.token.slice(DISPLAY_TOKEN_PREFIX.length)).toMatch(/^[\w-]{43}$/);
    expect(answer.display.id).toBe(display.id);
    const own = await read(await call("GET", relayPath.ownDisplay, { token: answer.token }), OwnDisplay);
    expect(own).toMatchObject({ display: { id: display.id }, zone: "Asia/Seoul" });
    expect(await collectToken(harness().origin, asked.deviceCode)).toEqual({ state: "expired" });
    expect((await list()).map(({ id }) => id)).toContain(display.id);
  });

  test("[displays] a screen whose token was lost requests another one, and the lost one is invalid", async () => {
    const asked = await askCode(harness().origin);
    const body = { code: asked.code, settings: buildSettings() };
    const display = await read(await call("POST", relayPath.displays, { token: TOKEN, body }), Display);
    const fetchToken = async () => {
      const answer = await collectToken(harness().origin, asked.deviceCode);
      if (answer.state !== "approved") throw new Error(answer.state);
      expect(answer.display.id).toBe(display.id);
      return answer.token;
    };
    const [lostToken, token] = [await fetchToken(), await fetchToken()];
    expect((await call("GET", relayPath.ownDisplay, { token: lostToken })).status).toBe(401);
    expect((await call("GET", relayPath.ownDisplay, { token })).status).toBe(200);
    expect(await collectToken(harness().origin, asked.deviceCode)).toEqual({ state: "expired" });
  });

  test("[displays] a screen that polls too soon is asked to slow down, and an unknown one to start again", async () => {
    const { deviceCode } = await askCode(harness().origin);
    expect(await collectToken(harness().origin, deviceCode)).toEqual({ state: "pending" });
    expect(await collectToken(harness().origin, deviceCode)).toEqual({ state: "slowDown" });
    expect(await collectToken(harness().origin, "x".repeat(43))).toEqual({ state: "expired" });
  });

  test("[displays] refuses an approval without signing in, for another account's farm, or for the fleet as a USER", async () => {
    const { code } = await askCode(harness().origin);
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

  test("[displays] renames a display, moves it to another farm and revokes it; its token is then invalid", async () => {
    const { token, display } = await pair(harness().origin);
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

  test("[displays] renames a display also when one of its farms is gone, for its owner and for administrators", async () => {
    const shown = buildSettings({ farms: [MINE.farm, THEIRS.farm] });
    const { display } = await pair(harness().origin, shown);
    const { account, api } = harness();
    const admin = { ...account.account, id: "u-renames", username: "renames", userType: "ADMIN" };
    api.accounts.push({ ...account, account: admin, token: "token-renames" });
    const { farms } = account;
    const other = await pair(harness().origin);
    account.farms = farms.filter(({ id }) => id !== THEIRS.farm);
    await harness().restart();
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
    await harness().restart();
  });

  test("[displays] hides a display from other accounts; an administrator sees and changes it", async () => {
    const { display } = await pair(harness().origin);
    const { accounts } = harness().api;
    const other = {
      ...harness().account,
      account: { ...harness().account.account, id: "u2", username: "other" },
    };
    accounts.push({ ...other, token: "token-other" });
    const admin = { ...harness().account.account, id: "u3", username: "admin", userType: "ADMIN" };
    accounts.push({ ...harness().account, account: admin, token: "token-admin" });
    const listOf = async (token: string) =>
      (await read(await call("GET", relayPath.displays, { token }), DisplayList)).displays;
    expect(await listOf("token-other")).toEqual([]);
    expect((await listOf("token-admin")).map(({ id }) => id)).toContain(display.id);
    const revoke = (token: string) => call("DELETE", relayPath.display(display.id), { token });
    expect(await refusal(await revoke("token-other"))).toBe("404 not-found");
    expect((await revoke("token-admin")).status).toBe(204);
    const auditEntries = () => harness().api.auditEntries.filter(({ subject }) => subject.id === display.id);
    await until(() => auditEntries().length > 0);
    expect(auditEntries()).toMatchObject([
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

  test("[displays] removes a display with its account, however that was deleted", async () => {
    const { accounts } = harness().api;
    const join = (id: string, token: string, userType = "USER") =>
      accounts.push({
        ...harness().account,
        account: { ...harness().account.account, id, username: id, userType },
        // An open valve would forbid the deletion (CMD-15).
        states: new Map([...harness().account.states.keys()].map((valve) => [valve, { onoff: 0 }])),
        token,
      });
    join("u-chief", "token-chief", "ADMIN");
    join("u-first", "token-first");
    join("u-second", "token-second");
    const ownOf = (token: string) => call("GET", relayPath.ownDisplay, { token });
    const first = await pair(harness().origin, buildSettings(), { token: "token-first" });
    const second = await pair(harness().origin, buildSettings(), { token: "token-second" });
    // Through the relay: at once.
    const path = pathTo(adminUserDelete, { id: "u-first" });
    expect((await call("DELETE", path, { token: "token-chief" })).status).toBe(204);
    await until(async () => (await ownOf(first.token)).status === 401);
    expect(await refusal(await ownOf(first.token))).toBe("401 display-revoked");
    expect((await ownOf(second.token)).status).toBe(200);
    // At the API itself: with the relay's next request for the account's session.
    accounts.splice(
      accounts.findIndex(({ account }) => account.id === "u-second"),
      1,
    );
    await harness()
      .app.services.owners.ownToken("u-second")
      .catch(() => undefined);
    await until(async () => (await ownOf(second.token)).status === 401);
  });

  test("[NODE-4] a display survives a restart, and its token is not in the store", async () => {
    const { token, display } = await pair(harness().origin);
    await harness().restart();
    const own = await read(await call("GET", relayPath.ownDisplay, { token }), OwnDisplay);
    expect(own.display.id).toBe(display.id);
    expect(JSON.stringify(harness().app.services.displays.service.record(display.id))).not.toContain(
      token.slice(4),
    );
  });

  test("[displays] limits guesses of codes by account and by address", async () => {
    const statuses = new Set<number>();
    for (let n = 0; n < 70; n += 1) {
      statuses.add((await call("GET", relayPath.displayCode("ZZZZZZZZ"), { token: TOKEN })).status);
    }
    expect([...statuses]).toEqual([404, 429]);
    for (let n = 0; n < 70; n += 1) statuses.add((await call("POST", relayPath.displayCodes)).status);
    expect([...statuses].sort()).toEqual([201, 404, 429]);
  });
});
