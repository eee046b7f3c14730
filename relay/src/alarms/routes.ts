import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { Alarm } from "@mulkko/shared/live/alarm";
import {
  AcknowledgeBody,
  type AlarmPage,
  AlarmQuery,
  CloseInBody,
  SnoozeBody,
} from "@mulkko/shared/rest/alarm";
import { DEFAULT_PAGE_SIZE } from "@mulkko/shared/rest/paging";
import { relayPath, routePattern } from "@mulkko/shared/rest/routes";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { alarmKey } from "@mulkko/shared/rules/device-keys";
import fp from "fastify-plugin";
import Type from "typebox";
import type { TokenProofs } from "../access/token-prover.ts";
import { createAccountCaller, createReaderCaller } from "../account/account-caller.ts";
import { withoutNames } from "../account/farm-filter.ts";
import { type DisplayViews, type Reader, viewOf } from "../account/reader.ts";
import type { AccountViews } from "../account/viewing.ts";
import { actorOf } from "../http/caller.ts";
import { invalidField, RelayError } from "../http/relay-error.ts";
import { stateOf } from "../store/streams.ts";
import type { AlarmAnswer, AlarmRefusal } from "./alarm-calls.ts";
import type { AlarmServices } from "./alarm-service.ts";

export interface AlarmOptions {
  readonly owners: AlarmServices & Pick<AccountViews, "view">;
  readonly displays: DisplayViews;
  readonly prover: TokenProofs;
  readonly clock: Clock;
  readonly timers: Timers;
}

const BODY_BYTES = 4 * 1024;
const WithId = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) });
const acknowledgePath = routePattern(relayPath.acknowledgeAlarm, "id");
const closeInPath = routePattern(relayPath.closeIn, "id");
const snoozePath = routePattern(relayPath.snoozeAlarm, "id");

/**
 * `/relay/alarms`: read, acknowledge and snooze an account's own alarms (ALM-2, ALM-3). A display reads those
 * of its farms, and may acknowledge them if it was paired for that (ALM-7).
 */
export const alarmsPlugin = fp<AlarmOptions>(
  async (plain, { owners, prover, displays, clock, timers }) => {
    const app = plain.withTypeProvider<TypeBoxTypeProvider>();
    // Acknowledging an alarm and closing its valve work while the farm API is away.
    const deps = { prover, clock, timers, writes: "asked-if-possible" } as const;
    const call = createAccountCaller(deps);
    const read = createReaderCaller(deps);
    const alarmsOf = ({ account, token }: Reader) => owners.alarms(account, token);
    /**
     * Return the alarms about what the reader may see, without names that a display may not see (HS-2).
     * Present alarms are in a display's stream; past ones name a key.
     */
    const seenBy = async (reader: Reader, all: readonly Alarm[]): Promise<readonly Alarm[]> => {
      if (!reader.display?.farms) return all;
      const viewer = await viewOf(reader, owners, displays);
      const state = stateOf(viewer.devices);
      viewer.release();
      return all.filter(({ id, key }) => alarmKey(id) in state || key in state).map(withoutNames);
    };

    app.get(
      relayPath.alarms,
      { config: { display: "read" }, schema: { querystring: AlarmQuery } },
      async (request, reply): Promise<AlarmPage> => {
        const { reader, served: alarms } = await read(request, alarmsOf);
        const { past = false, page = 1, size = DEFAULT_PAGE_SIZE } = request.query;
        const all = await seenBy(reader, await alarms.list({ which: past ? "past" : "present" }));
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
          const seen = await seenBy(reader, await served.list({ which: "present" }));
          if (!seen.some((alarm) => alarm.id === id)) throw refusalOf("unknown");
        }
        const comment = request.body.comment?.trim() || null;
        const alarm = alarmOf(await served.acknowledge({ id, by: reader.actor, comment }));
        return reader.display?.farms ? withoutNames(alarm) : alarm;
      },
    );
    app.post(
      snoozePath,
      { bodyLimit: BODY_BYTES, schema: { params: WithId, body: SnoozeBody } },
      async (request): Promise<Alarm> => {
        const { account, served } = await call(request, owners.alarms);
        const { until, reason } = request.body;
        const snooze = { until: Date.parse(until), reason: reason.trim() };
        return alarmOf(await served.snooze({ id: request.params.id, by: actorOf(account), ...snooze }));
      },
    );
    app.post(
      closeInPath,
      { bodyLimit: BODY_BYTES, schema: { params: WithId, body: CloseInBody } },
      async (request): Promise<Alarm> => {
        const { account, served } = await call(request, owners.alarms);
        const { minutes } = request.body;
        return alarmOf(await served.closeIn({ id: request.params.id, by: actorOf(account), minutes }));
      },
    );
    app.delete(snoozePath, { schema: { params: WithId } }, async (request): Promise<Alarm> => {
      const { account, served } = await call(request, owners.alarms);
      return alarmOf(await served.unsnooze({ id: request.params.id, by: actorOf(account) }));
    });
  },
  { name: "alarms", fastify: "5.x", dependencies: ["errors"] },
);

/**
 * Return the alarm of an answer.
 * @throws RelayError 404, 409 or 422
 */
function alarmOf(answer: AlarmAnswer): Alarm {
  if (answer.ok) return answer.alarm;
  throw refusalOf(answer.why);
}

function refusalOf(why: AlarmRefusal): RelayError {
  switch (why) {
    case "unknown":
      return new RelayError(404, "not-found", "no such alarm");
    case "not-active":
      return new RelayError(409, "conflict", "the alarm is over and cannot be snoozed");
    case "most-urgent":
      return new RelayError(409, "conflict", "an alarm of priority 1 cannot be snoozed");
    case "nothing-open":
      return new RelayError(409, "conflict", "no valve was opened at the controller");
    case "bad-end":
      return invalidField("until", "must lie in the future, and at most 7 days from now");
  }
}
