import { deviceTypeOf } from "@mulkko/shared/catalogue/registry";
import { Nullable } from "@mulkko/shared/schema/nullable";
import { parse } from "@mulkko/shared/schema/parse";
import { type Static, Type } from "typebox";
import type { Database, Queryable } from "../../database/database.ts";
import type { KnownDevice } from "../../devices/device-index.ts";
import { readChannels } from "../channel-store.ts";
import { meanMoisture } from "../controller-repository.ts";
import type { EngineSettings } from "../modes/engine-settings.ts";
import { type Ending, type EngineState, type Moment, newState, restored } from "../modes/engine-state.ts";
import { finishModes, readSettings } from "../modes/repository.ts";
import { NO_NEWS, type SoftChannel } from "./soft-channel.ts";

/** A stored channel. */
export interface StoredSoftChannel {
  readonly channelId: number;
  readonly number: number;
  settings: EngineSettings;
  engine: EngineState;
  soft: SoftChannel;
}

const StoredMoment = Type.Object({ now: Type.Number(), monotonic: Type.Number() });
const StoredState = Type.Object({
  charge: Type.String(),
  since: StoredMoment,
  run: Nullable(
    Type.Object({
      mode: Type.Union([Type.Literal("automatic"), Type.Literal("reservation"), Type.Literal("period")]),
      startedAt: StoredMoment,
      endsAt: StoredMoment,
    }),
  ),
  restsUntil: Nullable(StoredMoment),
  countsFrom: StoredMoment,
  taken: Type.Array(Type.String()),
});
type StoredState = Static<typeof StoredState>;

const measuresMoisture = (deviceType: string): boolean =>
  deviceTypeOf(deviceType).fields.some(({ name }) => name === "moisture");

function engineOf(kept: unknown, moment: Moment): EngineState {
  const parsed = parse(StoredState, kept);
  return parsed.ok ? restored(parsed.value satisfies StoredState, moment) : newState(moment);
}

/** A run's end that is to be stored. */
export interface StoredEnding extends Ending {
  /** The activation of the mode that ran. */
  readonly revision: number;
}

/** Store of the watering that this process carries out. Every member throws a DatabaseError. */
export interface SoftStore {
  /** Read a device's channels: their settings, their engines' states, and their last reports. */
  load(device: KnownDevice, moment: Moment): Promise<StoredSoftChannel[]>;
  /** Return the mean of a channel's values received since `freshFrom` (ms since 1970 UTC), %. */
  moisture(channelId: number, freshFrom: number): Promise<number | null>;
  save(channelId: number, state: EngineState): Promise<void>;
  /** Store the end of a run and, in the same transaction, that a mode without repeat is over. */
  saveEnding(
    channel: { channelId: number; deviceId: string; number: number },
    ending: StoredEnding,
  ): Promise<void>;
}

export const createSoftStore = (database: Database): SoftStore => ({
  load: (device, moment) => loadChannels(database, device, moment),
  moisture: (channelId, freshFrom) => meanMoisture(database, channelId, freshFrom),
  save: (channelId, state) => saveEngine(database, channelId, state),
  saveEnding: ({ channelId, deviceId, number }, { state, clears, revision }) =>
    database.transaction(async (tx) => {
      await saveEngine(tx, channelId, state);
      if (clears) await finishModes(tx, [{ deviceId, number, revision }]);
    }, "urgent"),
});

async function loadChannels(
  database: Queryable,
  device: KnownDevice,
  moment: Moment,
): Promise<StoredSoftChannel[]> {
  const settings = await readSettings(database, device.id);
  const states = await database.query<{ channel_id: number; state: unknown }>(
    `select channel_id, state from soft_channel join channel on channel.id = channel_id where controller_id = $1`,
    [device.id],
  );
  const sensors = await database.query<{ channel_id: number; device_type: string }>(
    `select channel_id, device_type from channel_sensor join channel on channel.id = channel_id
     join sensor on sensor.id = sensor_id where controller_id = $1`,
    [device.id],
  );
  const reported = await readChannels(database, device.id, moment.now);
  return settings.map(({ channelId, number, mode, revision, timezone, automatic, reservation, period }) => {
    const types = sensors.filter((one) => one.channel_id === channelId);
    const last = reported.find((one) => one.number === number);
    return {
      channelId,
      number,
      settings: {
        active: mode,
        revision,
        timezone,
        automatic,
        reservation,
        period,
        hasMoisture: types.some((one) => measuresMoisture(one.device_type)),
      },
      engine: engineOf(states.find((one) => one.channel_id === channelId)?.state, moment),
      soft: last
        ? { ...NO_NEWS, onoff: last.onoff, runUntil: last.runUntil, commandId: last.commandId }
        : NO_NEWS,
    };
  });
}

async function saveEngine(database: Queryable, channelId: number, state: EngineState): Promise<void> {
  await database.query(
    `insert into soft_channel (channel_id, state) select id, $2::jsonb from channel where id = $1
     on conflict (channel_id) do update set state = excluded.state`,
    [channelId, JSON.stringify(state)],
  );
}
