import { ChevronRightIcon } from "lucide-react";
import { type PointerEvent, type ReactNode, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import { DropIcon } from "../../components/icons.tsx";
import { moveSlide, releaseSlide, type Slide, startSlide } from "./slide-gesture.ts";
import "./confirm-slide.css";

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
