import { memo } from "react";
import { batteryWords, signalWords } from "../../domain/fleet/device-words.ts";
import { HeartbeatBar } from "../../domain/fleet/HeartbeatBar.tsx";
import { StateShape } from "../../domain/fleet/StateMark.tsx";
import { useShownDevice } from "../../domain/fleet/use-shown-device.ts";
import { useAge } from "../../live/hooks.ts";
import type { BoardRowProps } from "./BoardRow.tsx";

/** One device in a cell of 100 by 24 pixels. A device without problems shows only its name. */
export const BoardCell = memo(function BoardCell({ deviceKey, words, onPick }: BoardRowProps) {
  const shown = useShownDevice(deviceKey);
  const silent = shown !== undefined && shown.state !== "fresh";
  const ageMs = useAge(silent ? shown.device.heardAt : null);
  if (!shown) return null;
  const { device, name, state, alarm, needs } = shown;
  const need = needs[0];
  const trouble =
    ageMs !== null
      ? words.shortAge(ageMs)
      : need === "battery"
        ? batteryWords(device.battery)
        : need === "signal"
          ? signalWords(device.rssi).replace(" dBm", "")
          : null;
  const type = device.deviceType === null ? null : words.deviceType(device.deviceType);
  const { username, battery, rssi, fwversion } = device;
  const about = [username, type, batteryWords(battery), signalWords(rssi), fwversion]
    .filter((part) => part !== null)
    .join(" · ");
  return (
    <button
      type="button"
      className="board-cell"
      data-device={deviceKey}
      data-state={state}
      data-alarm={alarm ?? undefined}
      title={`${name} · ${about}`}
      onClick={() => onPick(deviceKey)}
    >
      <span className="board-cell__line">
        <StateShape state={state} alarm={alarm} word={words.state(state)} />
        <span className="board-cell__name">{name}</span>
        {trouble !== null && <span className="board-cell__trouble">{trouble}</span>}
      </span>
      <HeartbeatBar deviceKey={deviceKey} words={words.beats} />
    </button>
  );
});
