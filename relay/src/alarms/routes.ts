import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { Alarm } from "@mulkko/shared/live/alarm";
import { alarmKey } from "@mulkko/shared/live/keys";
import {
  AcknowledgeBody,
  type AlarmPage,
  AlarmQuery,
  CloseInBody,
  SnoozeBody,
} from "@mulkko/shared/rest/alarm";
import { DEFAULT_PAGE_SIZE } from "@mulkko/shared/rest/paging";
import { relayPath } from "@mulkko/shared/rest/routes";
import type { Clock } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import Type from "typebox";
import { actorOf } from "../commands/caller.ts";
import { type Reader, stateOf, viewOf } from "../commands/reader.ts";
import { createAccountCaller, createReaderCaller } from "../plugins/account-caller.ts";
import { RelayError } from "../plugins/relay-error.ts";
import type { AlarmAnswer, AlarmRefusal } from "../ports/alarms.ts";
import type { DisplayDoor } from "../ports/displays.ts";
import type { Owners } from "../ports/owners.ts";
import type { Timers } from "../ports/timers.ts";
import type { TokenProver } from "../ports/tokens.ts";

export interface AlarmOptions {
  readonly owners: Pick<Owners, "alarms" | "view">;
  readonly displays: Pick<DisplayDoor, "view">;
  readonly prover: Pick<TokenProver, "prove">;
  readonly clock: Clock;
  readonly timers: Timers;
}

const BODY_BYTES = 4 * 1024;
const WithId = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) });
/** A path's placeholder goes through the contract's own path as it is. */
const ID = ":id";
const acknowledgePath = relayPath.acknowledgeAlarm(ID).replace(encodeURIComponent(ID), ID);
const closeInPath = relayPath.closeIn(ID).replace(encodeURIComponent(ID), ID);
const snoozePath = relayPath.snoozeAlarm(ID).replace(encodeURIComponent(ID), ID);

/**
 * `/relay/alarms`: an account's own alarms, to be read, acknowledged and put off (ALM-2, ALM-3). A display reads those of
 * its farms, and may acknowledge them where it was paired for that (ALM-7).
 */
export const alarmsPlugin = fp<AlarmOptions>(
  async (plain, { owners, prover, displays, clock, timers }) => {
    const app = plain.withTypeProvider<TypeBoxTypeProvider>();
    const call = createAccountCaller({ prover, clock, timers });
    const read = createReaderCaller({ prover, clock, timers });
    const alarmsOf = ({ account, token }: Reader) => owners.alarms(account, token);
    /** Those about what the reader sees (HS-2): present ones stand in a display's stream, past ones name a key. */
    const seenBy = async (reader: Reader, all: readonly Alarm[]): Promise<readonly Alarm[]> => {
      if (!reader.display?.farms) return all;
      const viewer = await viewOf(reader, owners, displays);
      const state = stateOf(viewer);
      viewer.release();
      return all.filter(({ id, key }) => alarmKey(id) in state || key in state);
    };

    app.get(
      relayPath.alarms,
      { config: { display: "read" }, schema: { querystring: AlarmQuery } },
      async (request, reply): Promise<AlarmPage> => {
        const { reader, served: alarms } = await read(request, alarmsOf);
        const { past = false, page = 1, size = DEFAULT_PAGE_SIZE } = request.query;
        const all = await seenBy(reader, await (past ? alarms.past() : alarms.present()));
        reply.header("cache-control", "no-store");
        return { content: all.slice((page - 1) * size, page * size), totalElements: all.length };
      },
    );
    app.post(
      acknowledgePath,
      {
        bodyLimit: BODY_BYTES,
        config: { display: "ack" },
        schema: { params: WithId, body: AcknowledgeBody },
      },
      async (request): Promise<Alarm> => {
        const { reader, served } = await read(request, alarmsOf);
        const { id } = request.params;
        if (reader.display?.farms) {
          const seen = await seenBy(reader, await served.present());
          if (!seen.some((alarm) => alarm.id === id)) throw refusalOf("unknown");
        }
        const comment = request.body.comment?.trim() || null;
        return alarmOf(await served.acknowledge(id, reader.actor, comment));
      },
    );
    app.post(
      snoozePath,
      { bodyLimit: BODY_BYTES, schema: { params: WithId, body: SnoozeBody } },
      async (request): Promise<Alarm> => {
        const { account, served } = await call(request, owners.alarms);
        const { until, reason } = request.body;
        const end = Date.parse(until);
        return alarmOf(await served.snooze(request.params.id, actorOf(account), end, reason.trim()));
      },
    );
    app.post(
      closeInPath,
      { bodyLimit: BODY_BYTES, schema: { params: WithId, body: CloseInBody } },
      async (request): Promise<Alarm> => {
        const { account, served } = await call(request, owners.alarms);
        return alarmOf(await served.closeIn(request.params.id, actorOf(account), request.body.minutes));
      },
    );
    app.delete(snoozePath, { schema: { params: WithId } }, async (request): Promise<Alarm> => {
      const { account, served } = await call(request, owners.alarms);
      return alarmOf(await served.unsnooze(request.params.id, actorOf(account)));
    });
  },
  { name: "alarms", fastify: "5.x", dependencies: ["errors"] },
);

/** @throws RelayError 404, 409 or 422 */
function alarmOf(answer: AlarmAnswer): Alarm {
  if (answer.ok) return answer.alarm;
  throw refusalOf(answer.why);
}

function refusalOf(why: AlarmRefusal): RelayError {
  switch (why) {
    case "unknown":
      return new RelayError(404, "not-found", "no such alarm");
    case "not-active":
      return new RelayError(409, "conflict", "the alarm is over; there is nothing to put off");
    case "most-urgent":
      return new RelayError(409, "conflict", "an alarm of priority 1 cannot be put off");
    case "nothing-open":
      return new RelayError(409, "conflict", "no valve is open that somebody opened at the controller");
    case "bad-end": {
      const defaultMessage = "must lie in the future, and at most 7 days from now";
      return new RelayError(422, "validation", `until ${defaultMessage}`, [
        { field: "until", defaultMessage },
      ]);
    }
  }
}
