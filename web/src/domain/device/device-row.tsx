import type { DrawnQuality } from "@mulkko/shared/rules/quality";
import { Settings2Icon } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { Photo } from "../../components/photo.tsx";
import { QualityMark } from "../reading/quality-mark.tsx";
import { OwnLink } from "../view-as/OwnLink.tsx";
import "./device-row.css";

export interface DeviceRowProps {
  readonly name: string;
  /** Lines below the name; an empty part or line is left out. */
  readonly about: readonly (readonly (string | number | null | undefined)[])[];
  readonly imagePath: string | null | undefined;
  /** Shown without an image. */
  readonly icon: ReactNode;
  readonly quality: DrawnQuality | null;
  readonly ageMs: number | null;
  /** Page of the device. */
  readonly to: string;
  /** Called on a click instead of leading to the page. */
  readonly onOpen?: (() => void) | undefined;
  /** Selected, or shown beside the list. */
  readonly marked?: boolean;
  /** Its checkbox; null without one. */
  readonly choice?: {
    readonly checked: boolean;
    readonly disabled: boolean;
    readonly label: string;
    /** Reason why it cannot be selected. */
    readonly title?: string | undefined;
    readonly onToggle: () => void;
  } | null;
  /** Page where it is changed, and the name of the link. */
  readonly edit: { readonly to: string; readonly label: string };
  /** Further values in the middle; not on a phone. */
  readonly further?: string;
  /** Its value, above the mark of its quality. */
  readonly children?: ReactNode;
  readonly testId?: string;
}

/** A device in a list: checkbox, photo, name, value with its quality and age, and the link to its settings. */
export function DeviceRow(props: DeviceRowProps) {
  const { name, about, choice, edit, marked = false, quality, to, onOpen } = props;
  const content = (
    <>
      <span className="device-row__photo">
        <Photo path={props.imagePath} icon={props.icon} lazy />
      </span>
      <span className="device-row__text">
        <span className="device-row__name">{name}</span>
        {about
          .map((parts) =>
            parts.filter((part) => part !== null && part !== undefined && part !== "").join(" · "),
          )
          .filter((line) => line !== "")
          .map((line) => (
            <span key={line} className="device-row__about">
              {line}
            </span>
          ))}
      </span>
      {props.further !== undefined && <span className="device-row__further">{props.further}</span>}
      <span className="value-over-age">
        {props.children}
        <QualityMark quality={quality} ageMs={props.ageMs} />
      </span>
    </>
  );
  return (
    <div
      className="device-row"
      data-testid={props.testId}
      data-quality={quality ?? "never"}
      data-chosen={marked || undefined}
    >
      {choice && (
        <label className="device-row__choose" title={choice.title}>
          <input
            type="checkbox"
            checked={choice.checked}
            disabled={choice.disabled}
            aria-label={choice.label}
            onChange={choice.onToggle}
          />
        </label>
      )}
      {onOpen ? (
        <button type="button" className="device-row__main" aria-pressed={marked} onClick={onOpen}>
          {content}
        </button>
      ) : (
        <Link className="device-row__main" to={to}>
          {content}
        </Link>
      )}
      <OwnLink className="device-row__edit" to={edit.to} aria-label={edit.label} title={edit.label}>
        <Settings2Icon size={20} />
      </OwnLink>
    </div>
  );
}
