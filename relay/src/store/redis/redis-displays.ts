import type { DisplayMark, DisplayStore } from "../display-store.ts";
import { readJson } from "../json.ts";
import type { Connection } from "./connection.ts";
import {
  ALL,
  APPROVE_CODE,
  CHANGE,
  EVERY_WAITING_CODE,
  GUESS_CODE,
  MARK,
  OPEN_CODE,
  RECORD_SEEN,
  RESTORE,
  TAKE_CODE,
  WAITING_CODE,
  WITHDRAW_CODE,
} from "./display-scripts.ts";
import type { RedisKeys } from "./keys.ts";
import { asList, asNumber, asPairs, asText } from "./script.ts";

const SIGHTING = /^(\d+) (\d+)$/;

/** Create the display store in Redis: all keys in one slot, so that each step is one script. */
export function createRedisDisplays(
  connection: Connection,
  keys: RedisKeys,
  now: () => number,
  newEpoch: () => string,
): DisplayStore {
  const { mark, displays, seen, codes, codeDevices, codeEnds } = keys.displays;
  const markOf = (epoch: unknown, revision: unknown): DisplayMark => ({
    epoch: asText(epoch),
    revision: asNumber(revision),
  });
  const change = async (how: "add" | "replace" | "remove", id: string, text = ""): Promise<boolean> =>
    asNumber(await connection.run(CHANGE, [mark, displays, seen], [newEpoch(), how, id, text])) === 1;
  const allCodes = [codes, codeDevices, codeEnds];
  const instant = (): number => Math.floor(now());

  return {
    async mark() {
      const [epoch, revision] = asList(await connection.run(MARK, [mark], [newEpoch()]));
      return markOf(epoch, revision);
    },
    async all() {
      const [epoch, revision, pairs] = asList(await connection.run(ALL, [mark, displays], [newEpoch()]));
      const kept = asPairs(pairs).map(([id, text]) => ({ id, display: readJson(text) }));
      return { mark: markOf(epoch, revision), displays: kept };
    },
    async add(id, display) {
      await change("add", id, JSON.stringify(display));
    },
    replace: (id, display) => change("replace", id, JSON.stringify(display)),
    remove: (id) => change("remove", id),
    async restore(lost, removed) {
      const texts = lost.flatMap(({ id, changedAt, display }) => [id, changedAt, JSON.stringify(display)]);
      const args = [newEpoch(), instant(), removed.length, ...removed, ...texts];
      await connection.run(RESTORE, [mark, displays, seen], args);
    },
    async displayActivity() {
      const pairs = asPairs(await connection.call("HGETALL", seen));
      return pairs.flatMap(([id, text]) => {
        const [, at, until] = SIGHTING.exec(text) ?? [];
        return at === undefined || until === undefined ? [] : [{ id, at: Number(at), until: Number(until) }];
      });
    },
    async noteSeen(activity) {
      if (activity.length === 0) return;
      const args = activity.flatMap(({ id, at, until }) => [
        id,
        Math.floor(at),
        until === null ? "" : Math.floor(until),
      ]);
      await connection.run(RECORD_SEEN, [displays, seen], args);
    },
    codes: {
      async open(code, { device, asked, expiresAt }, atMost) {
        const ends = Math.floor(expiresAt);
        const args = [instant(), code, device, ends, JSON.stringify(asked), atMost];
        const answer = asText(await connection.run(OPEN_CODE, allCodes, args));
        return answer === "kept" || answer === "taken" ? answer : "full";
      },
      async waiting(code) {
        const found = await connection.run(WAITING_CODE, [codes], [instant(), code]);
        if (found === null) return undefined;
        const [ends, asked] = asList(found);
        return { asked: readJson(asked), expiresAt: asNumber(ends) };
      },
      async everyWaiting() {
        const found = await connection.run(EVERY_WAITING_CODE, [codes, codeEnds], [instant()]);
        return asPairs(found).map(([code, asked]) => ({ code, asked: readJson(asked) }));
      },
      async withdraw(code) {
        await connection.run(WITHDRAW_CODE, allCodes, [instant(), code]);
      },
      async approve(code, displayId) {
        return asNumber(await connection.run(APPROVE_CODE, [codes], [instant(), code, displayId])) === 1;
      },
      async poll(device) {
        const [kind, id] = asList(await connection.run(TAKE_CODE, allCodes, [instant(), device]));
        if (kind === "approved") return { kind, displayId: asText(id) };
        return { kind: kind === "waiting" ? kind : "unknown" };
      },
      async guessed(who, windowMs) {
        return asNumber(
          await connection.run(GUESS_CODE, [keys.displays.guesses(who)], [instant(), windowMs]),
        );
      },
    },
  };
}
