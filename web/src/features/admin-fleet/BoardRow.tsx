import { MISSING } from "@mulkko/shared/rules/format";
import { memo } from "react";
import { batteryWords, signalWords } from "../../domain/fleet/device-words.ts";
import { HeartbeatBar } from "../../domain/fleet/HeartbeatBar.tsx";
import { StateShape } from "../../domain/fleet/StateMark.tsx";
import type { FleetWords } from "../../domain/fleet/use-fleet-words.ts";
import { useShownDevice } from "../../domain/fleet/use-shown-device.ts";
import { useAge } from "../../live/hooks.ts";

export interface BoardRowProps {
  readonly deviceKey: string;
  readonly words: FleetWords;
  readonly onPick: (key: string) => void;
}

/** One device on one line: mark, name, owner, type, battery, signal, firmware, 48 hours, age. */
export const BoardRow = memo(function BoardRow({ deviceKey, words, onPick }: BoardRowProps) {
  const shown = useShownDevice(deviceKey);
  const ageMs = useAge(shown?.device.heardAt ?? null);
  if (!shown) return null;
  const { device, name, state, alarm, needs } = shown;
  const { username, deviceType, battery, rssi, fwversion } = device;
  const low = (need: (typeof needs)[number]) => needs.includes(need) || undefined;
  return (
    <button
      type="button"
      className="board-row"
      data-device={deviceKey}
      data-state={state}
      data-alarm={state === "offline" || state === "lost" ? (alarm ?? undefined) : undefined}
      onClick={() => onPick(deviceKey)}
    >
      <StateShape state={state} alarm={alarm} word={words.state(state)} />
      <span className="board-row__name" data-testid="device-name">
        {name}
      </span>
      <span className="board-row__owner">{username ?? MISSING}</span>
      <span className="board-row__type">{deviceType === null ? MISSING : words.deviceType(deviceType)}</span>
      <span className="board-row__battery" data-low={low("battery")}>
        {batteryWords(battery)}
      </span>
      <span className="board-row__signal" data-low={low("signal")}>
        {signalWords(rssi)}
      </span>
      <span className="board-row__fw">{fwversion ?? MISSING}</span>
      <span className="board-row__beats">
        <HeartbeatBar deviceKey={deviceKey} words={words.beats} />
      </span>
      <span className="board-row__age">{ageMs === null ? MISSING : words.shortAge(ageMs)}</span>
    </button>
  );
});
