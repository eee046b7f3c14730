import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommandBody } from "@mulkko/shared/rest/command";
import { accountInfo, tokenRefresh } from "@mulkko/shared/rest/operations/account";
import { channelState, controllerCommand, controllerList } from "@mulkko/shared/rest/operations/controllers";
import { clusterList } from "@mulkko/shared/rest/operations/farms";
import { notificationList } from "@mulkko/shared/rest/operations/notifications";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { sensorList } from "@mulkko/shared/rest/operations/sensors";
import { parse } from "@mulkko/shared/schema/parse";
import { buildAccount, buildController } from "@mulkko/shared/testing/builders";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createOwnersHarness, type OwnersHarness } from "../../testing/owners-harness.ts";
import { UpstreamStatusError } from "../upstream/errors.ts";
import type { CommandOutcome, CommandRequest } from "../valves/commands.ts";
import { OwnedValves } from "../valves/valve-service.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Lifetime of the farm API's tokens: half an hour. */
const TOKEN_MS = 30 * MINUTE;
const RUN_SECONDS = 14 * 3_600;
const ACCOUNT = "account-1";
const BOX = "box";
const CHANNEL = "channel:11";
const STATE = pathTo(channelState, { serial: 200001, channelId: 11 });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mulkko-overnight-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("[RUN-1] [RUN-2] [RUN-3] a paddy with a cap of a day is watered for 14 hours over a restart, closed at the end and recorded as one watering", async () => {
  const clock = createFakeClock();
  const tokens = new Map<string, number>();
  let issued = 0;
  const issue = () => {
    issued += 1;
    tokens.set(`access-${issued}`, clock.now() + TOKEN_MS);
    return { accessToken: `access-${issued}`, refreshToken: `refresh-${issued}` };
  };
  const valve = { onoff: 2, automatic: 0, reservation: 0, period: 0 };
  const commands: { payload: unknown; at: number; token: string | undefined }[] = [];

  /** Start the relay's process with the files and farm API of the previous one. */
  const start = (): OwnersHarness => {
    const harness = createOwnersHarness({
      clock,
      file: join(folder, "relay.sqlite"),
      createService: OwnedValves.load,
    });
    const guarded = (answer: () => unknown) => (options: { token?: string | undefined }) =>
      (tokens.get(options.token ?? "") ?? 0) > clock.now()
        ? answer()
        : new UpstreamStatusError("ended", 401, "unauthorized", null);
    const box = buildController({
      id: BOX,
      name: "Paddy",
      type: "CON01W",
      channels: [{ id: 11, channelNumber: 1, sensors: [] }],
    });
    harness.api.answer(
      accountInfo.path,
      guarded(() => buildAccount({ id: ACCOUNT })),
    );
    harness.api.answer(
      controllerList.path,
      guarded(() => [box]),
    );
    harness.api.answer(
      sensorList.path,
      guarded(() => []),
    );
    harness.api.answer(
      clusterList.path,
      guarded(() => []),
    );
    harness.api.answer(
      notificationList.path,
      guarded(() => []),
    );
    harness.api.answer(
      STATE,
      guarded(() => ({ serial: 200001, ...valve })),
    );
    harness.api.answer(tokenRefresh.path, () => issue());
    harness.api.answer(controllerCommand.path, (options: { json?: unknown; token?: string }) =>
      guarded(() => {
        const body = parse(CommandBody, options.json);
        if (!body.ok) return new UpstreamStatusError(body.message, 400, "validation", null);
        commands.push({ payload: body.value.payload, at: clock.now(), token: options.token });
        valve.onoff = Number(body.value.payload);
        return null;
      })(options),
    );
    return harness;
  };

  let harness = start();
  const account = buildAccount({ id: ACCOUNT });
  const person = issue().accessToken;
  const proven = { account, accountId: ACCOUNT, expiresAt: clock.now() + TOKEN_MS };
  const { accessToken, refreshToken } = issue();
  await harness.owners.watch.signedIn(ACCOUNT, {
    kind: "pair",
    accessToken,
    refreshToken,
    issuedAt: clock.now(),
    expiresAt: clock.now() + TOKEN_MS,
  });
  const viewer = await harness.owners.view(proven, person);
  await harness.timers.pass(MINUTE);
  expect(harness.state(viewer)[CHANNEL]).toMatchObject({ onoff: 2 });

  const press = async (commandId: string): Promise<CommandOutcome> => {
    const request: CommandRequest = {
      commandId,
      controllerId: BOX,
      number: 1,
      command: "onoff",
      payload: 1,
      target: 1,
      maxRunSeconds: RUN_SECONDS,
      by: { id: ACCOUNT, nickname: "Kim" },
      token: person,
      tokenEndsAt: proven.expiresAt,
      form: "controller",
      origin: "screen",
      traceId: "trace",
    };
    const service = await harness.owners.service(proven, person);
    const outcome = service.command(request);
    await harness.timers.pass(20_000);
    return outcome;
  };
  expect(await press("before")).toMatchObject({ ok: false, status: 422, code: "run-too-long" });
  const settings = await harness.owners.settings(proven, person);
  const raised = settings.change({ change: { about: "controller", id: BOX, maxRunSeconds: 86_400 } });
  await harness.timers.pass(1_000);
  expect(await raised).toMatchObject({ ok: true });

  const pressedAt = clock.now();
  const end = pressedAt + RUN_SECONDS * 1_000;
  expect(await press("after")).toMatchObject({ ok: true });
  expect(harness.state(viewer)[CHANNEL]).toMatchObject({
    onoff: 1,
    runUntil: new Date(end).toISOString(),
    endsBy: "relay",
  });
  // The user leaves; the relay's own session continues.
  viewer.release();
  await harness.timers.pass(5 * HOUR);
  expect(valve.onoff).toBe(1);

  await harness.owners.close();
  clock.advance(10 * MINUTE);
  harness = start();
  await harness.owners.resume();
  await harness.timers.pass(end - clock.now() - MINUTE);
  expect(valve.onoff).toBe(1);
  expect(commands.map(({ payload }) => payload)).toEqual([1]);

  await harness.timers.pass(2 * MINUTE);
  expect(valve.onoff).toBe(2);
  const [opening, ...closes] = commands;
  expect(opening).toMatchObject({ payload: 1, token: person });
  expect((closes[0]?.at ?? 0) - end).toBeLessThan(2_000);
  // The user's token ended long ago: a close carries the newest token of the relay's own session.
  for (const close of closes) expect(close).toMatchObject({ payload: 2, token: `access-${issued}` });

  const service = await harness.owners.service({ accountId: ACCOUNT }, undefined);
  const waterings = (await service.waterings({ since: 0 })).waterings.map(({ watering }) => watering);
  expect(waterings).toMatchObject([{ cause: "person", by: { nickname: "Kim" }, endReason: "deadline" }]);
  const [watering] = waterings;
  const ranMs = Date.parse(watering?.end ?? "") - Date.parse(watering?.start ?? "");
  expect(Math.abs(ranMs - RUN_SECONDS * 1_000)).toBeLessThan(30_000);
  const alarms = await harness.owners.alarms({ accountId: ACCOUNT }, undefined);
  expect(await alarms.list({ which: "present" })).toEqual([]);
  await harness.owners.close();
});
