// This file is long because one farm passes through every condition, on both databases.
import type { Notification } from "@mulkko/shared/entities/notification";
import { beatSlot } from "@mulkko/shared/rest/fleet";
import type { FleetDevice } from "@mulkko/shared/rest/sensor";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { eventually } from "@mulkko/shared/testing/eventually";
import type { MqttClient } from "mqtt";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  COT,
  FARMER,
  FOREIGN,
  NEIGHBOR,
  RELAY_KEY,
  SOIL,
  startTestFarm,
  type TestFarm,
  VALVES,
} from "../../../testing/test-farm.ts";
import { hashSecret } from "../../accounts/key.ts";
import { type Database, DatabaseError } from "../../database/database.ts";
import { sayTime } from "./messages.ts";
import { createNotifier } from "./notifier.ts";
import { sweepNotifications } from "./repository.ts";
import { Alerts } from "./watch.ts";

const MINUTE = 60_000;

/**
 * Define the alert tests for one database.
 *
 * @param environment variables that name the database
 */
export function alertsSuite(
  kind: "pglite" | "postgres",
  environment: () => Promise<Readonly<Record<string, string>>>,
): void {
  describe(`alerts on ${kind}`, () => {
    let farm: TestFarm;
    let alerts: Alerts;
    /** False: no message of a device is stored. */
    let canReceive = true;
    /** True: the disk is full. */
    let isFull = false;
    /** Promise that the database waits for before it answers. */
    let held: Promise<void> = Promise.resolve();
    /** Log lines: errors, and recoveries from errors. */
    const logged: string[] = [];
    const links = new Map<number, MqttClient>();
    beforeAll(async () => {
      farm = await startTestFarm({ PUBLIC_URL: "https://farm.example.com", ...(await environment()) });
      alerts = farm.app.alerts;
    });
    afterAll(() => farm.close());
    afterEach(async () => {
      for (const table of [
        "notification",
        "alert_episode",
        "outbox",
        "reading",
        "latest",
        "device_link",
        "channel_state",
        "device_presence",
        "listened_slot",
      ]) {
        await farm.app.database.query(`delete from ${table}`);
      }
      await farm.app.database.query(
        "update account set email_notification = false, language = 'KO', disabled = false",
      );
      farm.clock.advance(30 * 60 * MINUTE);
      await restart();
    });

    /** Replace the alert watch by a new one over the same stored state. */
    async function restart(): Promise<void> {
      const { database, deviceIndex, ingest, mailer, log } = farm.app;
      await alerts.stop();
      const logger = log.child({});
      const note =
        (level: string) =>
        (...words: unknown[]) =>
          void logged.push(`${level}: ${words.at(-1)}`);
      Object.assign(logger, { error: note("error"), warn: note("warn"), info: note("info") });
      const full = () => Promise.reject(new DatabaseError("No space left on device", "53100"));
      const filling: Database = {
        ...database,
        query: (...call) => held.then(() => (isFull ? full() : database.query(...call))),
        transaction: (...call) => held.then(() => (isFull ? full() : database.transaction(...call))),
      };
      const notifier = createNotifier({
        database: filling,
        outputs: ingest.outputs,
        mailer,
        publicUrl: "https://farm.example.com",
        zone: createApiTimeZone("Asia/Seoul"),
      });
      const next = new Alerts({
        database: filling,
        deviceIndex,
        canReceive: () => canReceive,
        notifier,
        clock: farm.clock,
        logger,
      });
      alerts = next;
      ingest.onContacts((batch) => next.received(batch));
      await next.load();
    }

    async function send(device: typeof SOIL, topic: string, message: object): Promise<void> {
      const link = links.get(device.serial) ?? (await farm.connect(device));
      links.set(device.serial, link);
      await link.publishAsync(`mulkko/${device.serial}/${topic}`, JSON.stringify(message), { qos: 1 });
    }
    /** Publish one message, ten seconds after the previous one. */
    function says(device: typeof SOIL, message: object): Promise<void> {
      farm.clock.advance(10_000);
      return send(device, "up", { moisture: 30, ...message });
    }
    /** Let minutes pass without any message. */
    async function silence(minutes: number): Promise<void> {
      for (let minute = 0; minute < minutes; minute += 1) {
        farm.clock.advance(MINUTE);
        await alerts.look();
      }
    }
    async function notifications(username = "farmer-one"): Promise<string[]> {
      await alerts.look();
      const { authorization } = await farm.signIn(username);
      const answer = await farm.app.inject({ url: "/api/v1/noti/list", headers: { authorization } });
      return answer.json<Notification[]>().map(({ type, message }) => `${type} ${message}`);
    }
    const wantMail = (id: string, language: string, address: string) =>
      farm.app.database.query(
        "update account set email_notification = true, language = $2, user_address = $3 where id = $1",
        [id, language, address],
      );
    const mails = () => farm.app.database.query("select recipient, subject, body from outbox order by id");
    const timeNow = () => sayTime(farm.clock.now(), { language: "KO", timezone: "Asia/Seoul" });

    test(`[alerts] ${kind}: notifies the owner once of a low battery, and again after a recovery`, async () => {
      const relay = await farm.connect({ username: "relay", password: RELAY_KEY });
      const received: [string, Notification][] = [];
      relay.on("message", (topic, payload) => received.push([topic, JSON.parse(payload.toString())]));
      await relay.subscribeAsync("mulkko/out/+/noti");
      for (const battery of [40, 19, 18, 21, 17]) await says(SOIL, { battery });
      expect(await notifications()).toEqual([
        "BATTERY SMS 100001: 배터리가 19% 남았습니다. 교체하거나 충전해 주세요.",
      ]);
      await eventually(() => expect(received).toHaveLength(1));
      expect(received[0]).toMatchObject([`mulkko/out/${FARMER}/noti`, { type: "BATTERY", unread: true }]);
      for (const battery of [25, 12]) await says(SOIL, { battery });
      await says(FOREIGN, { battery: 5 });
      expect(await notifications()).toHaveLength(2);
      expect(await notifications("farmer-two")).toEqual([expect.stringContaining("SMS 100004: 배터리가 5%")]);
      expect(await mails()).toEqual([]);
    });

    test(`[alerts] ${kind}: logs a full disk once and its end once, then notifies of what was noticed`, async () => {
      await says(SOIL, {});
      logged.length = 0;
      isFull = true;
      await silence(70);
      expect(logged).toEqual(["error: cannot store alerts"]);
      isFull = false;
      await silence(3);
      expect(logged).toEqual(["error: cannot store alerts", "info: alerts stored again"]);
      expect(await notifications()).toHaveLength(1);
    });

    test(`[alerts] ${kind}: notifies of a weak signal of a sensor, a controller and a COT sensor`, async () => {
      await says(SOIL, { rssi: -111 });
      for (const device of [VALVES, COT]) {
        await send(device, "ch/1/state", {
          onoff: 2,
          rssi: -118,
          at: new Date(farm.clock.now()).toISOString(),
        });
      }
      expect((await notifications()).sort()).toEqual([
        expect.stringContaining("RSSI COT 100003: 신호가 약합니다(-118 dBm)"),
        expect.stringContaining("RSSI SMS 100001: 신호가 약합니다(-111 dBm)"),
        expect.stringContaining("RSSI Valves: 신호가 약합니다(-118 dBm)"),
      ]);
    });

    test(`[alerts] ${kind}: does not notify for late readings or a device clock far behind`, async () => {
      await says(SOIL, { battery: 80 });
      const ago = (ms: number) => new Date(farm.clock.now() - ms).toISOString();
      await says(SOIL, { battery: 3, rssi: -130, at: ago(5 * MINUTE) });
      await says(SOIL, { battery: 3, rssi: -130, at: ago(3 * 24 * 60 * MINUTE) });
      expect(await notifications()).toEqual([]);
    });

    test(`[alerts] ${kind}: notifies once after an hour of silence, again after a recovery, and never for a device that never sent`, async () => {
      await says(SOIL, {});
      await send(VALVES, "ch/1/state", { onoff: 2, at: new Date(farm.clock.now()).toISOString() });
      const heardAt = timeNow();
      await silence(59);
      expect(await notifications()).toEqual([]);
      await silence(1);
      expect((await notifications()).sort()).toEqual([
        `DEVICE SMS 100001: ${heardAt} 이후 수신이 없습니다. 전원과 통신 상태를 확인해 주세요.`,
        `DEVICE Valves: ${heardAt} 이후 수신이 없습니다. 전원과 통신 상태를 확인해 주세요.`,
      ]);
      await silence(120);
      expect(await notifications()).toHaveLength(2);
      await says(SOIL, {});
      await silence(60);
      expect(await notifications()).toHaveLength(3);
    });

    test(`[alerts] ${kind}: allows an infrequent sensor two and a half of its intervals`, async () => {
      for (let time = 0; time < 5; time += 1) {
        await says(SOIL, {});
        await silence(40);
      }
      await silence(60);
      expect(await notifications()).toEqual([]);
      await silence(1);
      expect(await notifications()).toHaveLength(1);
    });

    test(`[alerts] ${kind}: does not repeat notifications after a restart, and counts silence from the restart`, async () => {
      await says(SOIL, { battery: 10 });
      await says(FOREIGN, { battery: 10 });
      const heardAt = timeNow();
      expect(await notifications()).toHaveLength(1);
      farm.clock.advance(10 * 60 * MINUTE);
      await restart();
      await says(SOIL, { battery: 9 });
      await silence(58);
      expect(await notifications()).toHaveLength(1);
      expect(await notifications("farmer-two")).toHaveLength(1);
      await silence(2);
      expect(await notifications("farmer-two")).toEqual([
        expect.stringContaining(`DEVICE SMS 100004: ${heardAt} 이후`),
        expect.stringContaining("BATTERY"),
      ]);
      await restart();
      await silence(90);
      expect(await notifications("farmer-two")).toHaveLength(2);
      await says(SOIL, { battery: 25 });
      await says(SOIL, { battery: 9 });
      expect(await notifications()).toHaveLength(3);
    });

    /** Read a device from the administrators' list. */
    async function listed({ id }: { id: string }): Promise<FleetDevice | undefined> {
      const { authorization } = await farm.signIn("overseer");
      const answer = await farm.app.inject({ url: "/api/v1/admin/devices", headers: { authorization } });
      return answer.json<{ content: FleetDevice[] }>().content.find((device) => device.id === id);
    }
    const iso = (at: number): string => new Date(at).toISOString();

    test(`[fleet] ${kind}: reports an unobserved night with its own times, to the second caller as to the first`, async () => {
      await farm.app.database.query("update device set created_at = $1", [new Date(farm.clock.now())]);
      const evening = farm.clock.now();
      for (let time = 0; time < 4; time += 1) {
        await says(SOIL, {});
        await send(VALVES, "ch/1/state", { onoff: 2, at: iso(farm.clock.now()) });
        await silence(20);
      }
      const heardAt = farm.clock.now() - 20 * MINUTE;
      await silence(350);
      const gone = { at: iso(heardAt + 60 * MINUTE), online: false, last: iso(heardAt) };
      const atEight = await listed(SOIL);
      expect(atEight?.flip).toEqual(gone);
      expect((await listed(VALVES))?.flip).toEqual(gone);
      // The devices send for an hour, then stop; nothing is known from before their registration.
      const slots = beatSlot(farm.clock.now()) - beatSlot(evening) + 1;
      expect(atEight?.beats?.text).toMatch(new RegExp(`^-{${96 - slots}}1{2,4}0+$`));
      await silence(60);
      await restart();
      expect((await listed(SOIL))?.flip).toEqual(gone);
      await says(SOIL, {});
      const backAt = farm.clock.now();
      await alerts.look();
      expect((await listed(SOIL))?.flip).toEqual({ at: iso(backAt), online: true, last: iso(heardAt) });
      expect((await listed(VALVES))?.flip).toEqual(gone);
    });

    test(`[FLIP-1] ${kind}: a reading of last week neither brings a device back nor makes it go offline an hour later`, async () => {
      const lastWeek = farm.clock.now() - 7 * 24 * 60 * MINUTE;
      await says(SOIL, { at: iso(lastWeek) });
      await silence(61);
      expect(await listed(SOIL)).toMatchObject({
        heardAt: iso(lastWeek),
        flip: { at: iso(lastWeek + 60 * MINUTE), online: false, last: iso(lastWeek) },
      });
      await says(SOIL, {});
      await silence(61);
      const { flip } = (await listed(SOIL)) ?? {};
      expect(flip).toMatchObject({ online: false });
      await says(SOIL, { at: iso(farm.clock.now() - 6 * 24 * 60 * MINUTE) });
      await silence(61);
      expect((await listed(SOIL))?.flip).toEqual(flip);
      // One of last week's silence, and one of today's, which the old reading does not end.
      expect(await notifications()).toHaveLength(2);
    });

    test(`[FLIP-1] ${kind}: records a silence at its own time, however late the restarted API judges it`, async () => {
      await says(SOIL, {});
      const heardAt = farm.clock.now();
      await alerts.look();
      expect((await listed(SOIL))?.flip).toEqual({ at: iso(heardAt), online: true, last: null });
      farm.clock.advance(20 * MINUTE);
      await restart();
      await silence(59);
      // The restarted API does not judge yet: its record is that of before.
      expect((await listed(SOIL))?.flip).toMatchObject({ online: true });
      await silence(2);
      const gone = { at: iso(heardAt + 60 * MINUTE), online: false, last: iso(heardAt) };
      expect((await listed(SOIL))?.flip).toEqual(gone);
      // A process that ended between its alert and the record of the flip.
      await farm.app.database.query("update device_presence set online = true, flipped_at = null");
      await restart();
      await silence(1);
      expect((await listed(SOIL))?.flip).toEqual(gone);
    });

    test(`[FLIP-1] ${kind}: names the contact after the last long gap beside the newest reading, over a restart`, async () => {
      const named = async (): Promise<unknown> => {
        // Its token ends with an hour of silence.
        const { authorization } = await farm.signIn("farmer-one");
        const url = `/api/v1/sensor/read/log/${SOIL.id}/latest`;
        const answer = await farm.app.inject({ url, headers: { authorization } });
        return answer.json<{ backAt?: string }>().backAt;
      };
      await says(SOIL, {});
      expect(await named()).toBeUndefined();
      await silence(70);
      await says(SOIL, {});
      const backAt = iso(farm.clock.now());
      await expect.poll(named).toBe(backAt);
      farm.clock.advance(20 * MINUTE);
      await says(SOIL, {});
      await restart();
      expect(await named()).toBe(backAt);
    });

    test(`[fleet] ${kind}: does not report half-hours without a running API as silent`, async () => {
      await farm.app.database.query("update device set created_at = $1", [new Date(farm.clock.now())]);
      await says(SOIL, {});
      await silence(1);
      farm.clock.advance(3 * 60 * MINUTE);
      await restart();
      await silence(31);
      expect((await listed(SOIL))?.beats?.text).toMatch(/1-{5}0{1,2}$/);
    });

    test(`[alerts] ${kind}: does not count a suspended machine as silence of the devices`, async () => {
      await says(SOIL, {});
      farm.clock.advance(8 * 60 * MINUTE);
      await silence(59);
      expect(await notifications()).toEqual([]);
      await silence(2);
      expect(await notifications()).toHaveLength(1);
    });

    test(`[alerts] ${kind}: counts no silence while readings are not stored, nor for an hour afterwards`, async () => {
      await says(SOIL, {});
      canReceive = false;
      await silence(180);
      canReceive = true;
      await silence(59);
      expect(await notifications()).toEqual([]);
      await silence(2);
      expect(await notifications()).toHaveLength(1);
    });

    test(`[alerts] ${kind}: forgets a deleted device`, async () => {
      const { database, deviceIndex } = farm.app;
      const gone = { id: "10000000-0000-4000-8000-00000000000f", serial: 100015, key: "key-of-gone" };
      await database.query(
        "insert into device (id, serial, kind, account_id, key_hash, created_at) values ($1, $2, 'sensor', $3, $4, now())",
        [gone.id, gone.serial, FARMER, hashSecret(gone.key)],
      );
      await database.query("insert into sensor (id, device_type) values ($1, 'SMS')", [gone.id]);
      await deviceIndex.reload();
      await says(gone, { battery: 10 });
      expect(await notifications()).toEqual([expect.stringContaining("BATTERY 100015: ")]);
      await database.query("delete from device where id = $1", [gone.id]);
      await deviceIndex.reload();
      await silence(61);
      expect(await notifications()).toHaveLength(1);
      expect(await database.query("select * from alert_episode")).toEqual([]);
    });

    /** Put the account of the devices into the trash for some minutes, and restore it. */
    async function deletedFor(minutes: number): Promise<void> {
      const { database, deviceIndex } = farm.app;
      const trash = async (at: Date | null): Promise<void> => {
        await database.query("update account set deleted_at = $2 where id = $1", [FARMER, at]);
        await deviceIndex.reload();
      };
      await trash(new Date(farm.clock.now()));
      await silence(minutes);
      await trash(null);
    }

    test(`[FLIP-1] ${kind}: a restored account has the alerts and the flips of before its deletion`, async () => {
      const { database } = farm.app;
      await says(SOIL, { battery: 10 });
      await silence(70);
      expect(await notifications()).toHaveLength(2);
      const read = () => database.query("select * from device_presence where device_id = $1", [SOIL.id]);
      const before = await read();
      expect(before).toMatchObject([{ online: false }]);
      await deletedFor(5);
      expect(await read()).toEqual(before);
      await says(SOIL, { battery: 90 });
      await alerts.look();
      // Their ends find the conditions that began before.
      expect(await database.query("select type from alert_episode")).toEqual([]);
      expect(await notifications()).toHaveLength(2);
      const [after] = await read();
      expect(after).toMatchObject({ online: true });
      expect(after?.flipped_last).not.toBeNull();
    });

    test(`[FLIP-1] ${kind}: a contact just before the deletion of its account is not the device's first one`, async () => {
      const read = () =>
        farm.app.database.query(
          "select flipped_at, beats::text as beats from device_presence where device_id = $1",
          [SOIL.id],
        );
      await says(SOIL, {});
      await silence(70);
      await says(SOIL, {});
      await silence(35);
      const [before] = await read();
      expect(before?.flipped_at).not.toBeNull();
      // In another half-hour: not stored before the deletion.
      await says(SOIL, {});
      await deletedFor(2);
      await says(SOIL, {});
      await alerts.look();
      const [after] = await read();
      expect(after?.flipped_at).toEqual(before?.flipped_at);
      const count = (row: Record<string, unknown> | undefined) =>
        String(row?.beats).replaceAll("0", "").length;
      expect(count(after)).toBeGreaterThan(count(before));
    });

    test(`[alerts] ${kind}: a device in the trash cannot report: its silence counts from its return`, async () => {
      await says(SOIL, { battery: 90 });
      await deletedFor(180);
      await silence(59);
      expect(await notifications()).toEqual([]);
      await silence(2);
      expect(await notifications()).toHaveLength(1);
    });

    test(`[alerts] ${kind}: stores notifications late when the database was unavailable`, async () => {
      await farm.app.database.query("alter table alert_episode rename to alert_episode_away");
      await says(SOIL, { battery: 10 });
      await alerts.look();
      await farm.app.database.query("alter table alert_episode_away rename to alert_episode");
      expect(await notifications()).toEqual([]);
      await says(SOIL, { battery: 10 });
      expect(await notifications()).toHaveLength(1);
    });

    test(`[alerts] ${kind}: dates a notification when it was noticed, however late it is stored`, async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      await says(SOIL, { battery: 10 });
      const noticedAt = farm.clock.now();
      farm.clock.advance(2 * MINUTE);
      resolve();
      await alerts.look();
      expect(await farm.app.database.query("select created_at from notification")).toEqual([
        { created_at: noticedAt },
      ]);
    });

    test(`[alerts] ${kind}: limits the notifications of a device with erratic values`, async () => {
      for (let time = 0; time < 20; time += 1) await says(SOIL, { battery: time % 2 === 0 ? 5 : 95 });
      expect(await notifications()).toHaveLength(6);
      await says(SOIL, { battery: 95 });
      await silence(58);
      await says(SOIL, { battery: 5 });
      expect(await notifications()).toHaveLength(7);
    });

    test(`[alerts] ${kind}: sends several notifications of an account in one mail, in its language, if mail is on`, async () => {
      await wantMail(FARMER, "EN", "one@example.com");
      await wantMail(NEIGHBOR, "ZH", "two@example.com");
      await says(SOIL, { battery: 10, rssi: -120 });
      await says(FOREIGN, { battery: 8.4 });
      await alerts.look();
      expect(await mails()).toEqual([]);
      await silence(3);
      expect(await mails()).toMatchObject([
        {
          recipient: "one@example.com",
          subject: "[Mulkko] 2 device notifications",
          body: expect.stringMatching(/^Hello farmer-one,[\s\S]*SMS 100001: battery at 10%[\s\S]*-120 dBm/),
        },
        {
          recipient: "two@example.com",
          subject: "[Mulkko 水口] SMS 100004：电池电量仅剩 8.4%，请更换或充电。",
          body: expect.stringContaining("https://farm.example.com"),
        },
      ]);
      await wantMail(FARMER, "KO", "one@example.com");
      await says(SOIL, { battery: 30 });
      await says(SOIL, { battery: 15 });
      const sentAt = timeNow();
      await silence(10);
      const all = await mails();
      expect(all).toHaveLength(3);
      expect(all[2]).toMatchObject({
        subject: "[물꼬] SMS 100001: 배터리가 15% 남았습니다. 교체하거나 충전해 주세요.",
        body: expect.stringContaining(`- ${sentAt}  SMS 100001`),
      });
    });

    test(`[alerts] ${kind}: sends no mail to an account that was disabled or turned mail off meanwhile`, async () => {
      await wantMail(FARMER, "KO", "one@example.com");
      await wantMail(NEIGHBOR, "KO", "two@example.com");
      await says(SOIL, { battery: 10 });
      await says(FOREIGN, { battery: 10 });
      await alerts.look();
      await farm.app.database.query("update account set email_notification = false where id = $1", [FARMER]);
      await farm.app.database.query("update account set disabled = true where id = $1", [NEIGHBOR]);
      await silence(10);
      expect(await mails()).toEqual([]);
      expect(await farm.app.database.query("select * from alert_mail")).toEqual([]);
    });

    test(`[alerts] ${kind}: keeps the newest thousand notifications of an account`, async () => {
      const { database } = farm.app;
      await says(FOREIGN, { battery: 10 });
      await alerts.look();
      await database.query(
        `insert into notification (account_id, type, message, created_at)
     select $1, 'RSSI', number::text, to_timestamp(number) from generate_series(1, 1005) as number`,
        [FARMER],
      );
      await sweepNotifications(database);
      const kept = await database.query(
        "select account_id, count(*) as count, min(created_at) as first from notification group by 1 order by 1",
      );
      expect(kept).toMatchObject([
        { account_id: FARMER, count: 1_000, first: 6_000 },
        { account_id: NEIGHBOR, count: 1 },
      ]);
    });
  });
}
