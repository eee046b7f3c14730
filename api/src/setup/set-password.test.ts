import { accountInfo, accountLogin, tokenRefresh } from "@mulkko/shared/rest/operations/account";
import { adminAudit } from "@mulkko/shared/rest/operations/admin";
import { afterAll, expect, test } from "vitest";
import { environmentOf, openPlace, openPlaces } from "../../testing/places.ts";
import { startTestFarm } from "../../testing/test-farm.ts";
import { newPassword, setPasswordAt } from "./set-password.ts";

const places = await openPlaces();
afterAll(() => places.close());

test("[account] the operator of PostgreSQL sets a password while the API runs; every session ends", async () => {
  const place = await places.create("postgres");
  const farm = await startTestFarm(environmentOf(place));
  const { authorization, pair } = await farm.signIn("overseer");
  const password = newPassword();
  const set = await setPasswordAt(place, "Overseer", password, farm.clock.now());
  expect(set).toEqual({ username: "overseer", disabled: false });
  const info = { url: accountInfo.path, headers: { authorization } };
  expect((await farm.app.inject(info)).statusCode).toBe(401);
  const refresh = {
    method: "PUT",
    url: tokenRefresh.path,
    headers: { refreshtoken: pair.refreshToken ?? "" },
  } as const;
  expect((await farm.app.inject(refresh)).statusCode).toBe(401);
  const login = (word: string) =>
    farm.app.inject({
      method: "POST",
      url: accountLogin.path,
      payload: { username: "overseer", password: word },
    });
  const again = await login(password);
  expect(again.statusCode).toBe(200);
  const audit = await farm.app.inject({
    url: adminAudit.path,
    headers: { authorization: `Bearer ${again.json().accessToken}` },
  });
  expect(audit.json().content[0]).toMatchObject({
    actorId: null,
    actorName: "set-password",
    action: "user-password",
    subjectName: "overseer",
  });
  expect(audit.body).not.toContain(password);
  await farm.close();
});

test("[account] on the embedded database asks to stop the running API first; then sets the password", async () => {
  const farm = await startTestFarm();
  const place = { url: undefined, dataDir: farm.folder };
  const set = () => setPasswordAt(place, "overseer", "plough+Field2", farm.clock.now());
  await expect(set()).rejects.toThrow(`is in use by process ${process.pid}: stop it first`);
  await farm.app.close();
  expect(await set()).toEqual({ username: "overseer", disabled: false });
  const database = await openPlace(place);
  expect(await database.query("select revoked_at from session where revoked_at is null")).toEqual([]);
  await database.close();
  await farm.close();
});

test("[account] lists the administrators for an unknown name, and explains the rule for a bad password", async () => {
  const place = await places.create("postgres");
  const farm = await startTestFarm(environmentOf(place));
  const set = (username: string, password = newPassword()) =>
    setPasswordAt(place, username, password, farm.clock.now());
  await expect(set("unknown-user")).rejects.toThrow(
    "There is no user unknown-user. Administrators: overseer.",
  );
  await expect(set("")).rejects.toThrow("Name the user with --user. Administrators: overseer.");
  const nowhere = { url: undefined, dataDir: place.dataDir };
  await expect(setPasswordAt(nowhere, "", newPassword(), 0)).rejects.toThrow("There is no farm in");
  await expect(set("overseer", "short")).rejects.toThrow("The password must have 8 to 64");
  await farm.close();
});
