import { useTranslation } from "react-i18next";
import { ThingTitle } from "./thing-title.tsx";
import { ValveSymbol } from "./valve-symbol.tsx";
import { type ValveView, viewMarks } from "./valve-view.ts";
import { valveWords } from "./valve-words.ts";
import "./channel-chip.css";

export interface ChannelChipProps {
  /** The valve's name; null if its controller's name is enough. */
  name: string | null;
  number: number;
  view: ValveView;
  selected: boolean;
  onSelect: () => void;
  letter?: string | null;
}

/** Selectable channel of a controller: number, symbol and state as text. Selection inverts the ink. */
export function ChannelChip({ name, number, view, selected, onSelect, letter = null }: ChannelChipProps) {
  const { t } = useTranslation("common");
  return (
    <button
      type="button"
      className="channel-chip"
      {...viewMarks(view)}
      aria-pressed={selected}
      onClick={onSelect}
    >
      <ValveSymbol view={view} letter={letter} size={32} />
      <span className="channel-chip__text">
        <span className="channel-chip__number">
          <ThingTitle name={name} number={number} />
        </span>
        <span className="channel-chip__state">{valveWords(t, view)}</span>
      </span>
    </button>
  );
}
