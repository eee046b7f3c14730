import "./confirm-slide.css";
import { ChevronRightIcon } from "lucide-react";
import { type PointerEvent, type ReactNode, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import { DropIcon } from "../../components/icons.tsx";

/** Share of the track past which a release confirms. */
const FIRES_AT = 0.85;

/** Maximum movement of a tap, CSS px. */
const TAP_SLOP = 8;

/** A slide in progress: the start position and the thumb's travel distance (CSS px). */
interface Slide {
  readonly startX: number;
  readonly travel: number;
  /** Maximum distance from the start, CSS px; distinguishes a tap from a slide that came back. */
  readonly reached: number;
  /** Position of the thumb, 0 to 1. */
  readonly fraction: number;
}

/** Meaning of a release. */
type Release = "fire" | "tap" | "cancel";

/** Start a slide at `x` on a track with a travel distance of `travel` px. */
export function startSlide(x: number, travel: number): Slide {
  return { startX: x, travel: Math.max(1, travel), reached: 0, fraction: 0 };
}

/** Move the finger to `x`. Positions before the start count as the start. */
export function moveSlide(slide: Slide, x: number): Slide {
  const distance = x - slide.startX;
  return {
    ...slide,
    reached: Math.max(slide.reached, Math.abs(distance)),
    fraction: Math.min(1, Math.max(0, distance / slide.travel)),
  };
}

/** Release the slide: past 85 % confirms, little movement is a tap, anything else cancels. */
export function releaseSlide(slide: Slide): Release {
  if (slide.fraction >= FIRES_AT) return "fire";
  return slide.reached <= TAP_SLOP ? "tap" : "cancel";
}

export interface ConfirmSlideProps {
  /** Label on the track; default "slide to water". */
  label?: string;
  /** The valve, shown above the label. */
  about?: ReactNode;
  /** Called when the slide is completed and released. */
  onConfirm: () => void;
  /** Called for a tap, Enter, or a screen reader's click: opens a dialog instead. */
  onAsk: () => void;
  /** Why it is disabled; replaces the label. */
  disabledReason?: string | null;
}

/**
 * Slide control that opens a valve with a wet thumb but not by accident: it confirms on release past 85 % of
 * the track. It is one button: keyboards and screen readers click it and get the dialog.
 */
export function ConfirmSlide({ label, about, onConfirm, onAsk, disabledReason = null }: ConfirmSlideProps) {
  const { t } = useTranslation("common");
  const track = useRef<HTMLButtonElement>(null);
  const thumb = useRef<HTMLSpanElement>(null);
  const slide = useRef<Slide | null>(null);
  const swallowClick = useRef(false);
  const hint = useId();

  const show = (fraction: number, sliding: boolean) => {
    track.current?.style.setProperty("--slide", String(fraction));
    track.current?.toggleAttribute("data-sliding", sliding);
    track.current?.toggleAttribute("data-armed", sliding && releasesNow());
  };
  const releasesNow = () => slide.current !== null && releaseSlide(slide.current) === "fire";

  const down = (event: PointerEvent<HTMLButtonElement>) => {
    if (disabledReason !== null || !event.isPrimary || event.button !== 0) return;
    const element = event.currentTarget;
    // The track is as high as the thumb is wide, except with large letters.
    slide.current = startSlide(event.clientX, element.clientWidth - (thumb.current?.offsetWidth ?? 0));
    swallowClick.current = false;
    element.setPointerCapture?.(event.pointerId);
    show(0, true);
  };
  const move = (event: PointerEvent<HTMLButtonElement>) => {
    if (slide.current === null) return;
    slide.current = moveSlide(slide.current, event.clientX);
    show(slide.current.fraction, true);
  };
  const end = (fires: boolean) => {
    const release = slide.current === null ? "tap" : releaseSlide(slide.current);
    slide.current = null;
    show(0, false);
    // Ignore the click that follows a slide.
    swallowClick.current = release !== "tap";
    if (fires && release === "fire") onConfirm();
  };
  const click = () => {
    const swallowed = swallowClick.current;
    swallowClick.current = false;
    if (!swallowed && disabledReason === null) onAsk();
  };

  return (
    <>
      <button
        ref={track}
        type="button"
        className="confirm-slide"
        data-testid="confirm-slide"
        aria-disabled={disabledReason !== null}
        aria-describedby={hint}
        aria-haspopup="dialog"
        onPointerDown={down}
        onPointerMove={move}
        onPointerUp={() => end(true)}
        onPointerCancel={() => end(false)}
        onClick={click}
      >
        <span className="confirm-slide__label">
          {disabledReason === null && about && <span className="confirm-slide__about">{about}</span>}
          {disabledReason ?? label ?? t("slide.label")}
        </span>
        <span className="confirm-slide__end">
          <ChevronRightIcon />
        </span>
        <span className="confirm-slide__thumb" ref={thumb}>
          <DropIcon />
        </span>
      </button>
      <span id={hint} className="visually-hidden">
        {t("slide.hint")}
      </span>
    </>
  );
}
