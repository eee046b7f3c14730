import { type PointerEvent, type ReactNode, useId, useRef } from "react";
import { useTranslation } from "../../i18n/use-translation.ts";
import { DropIcon, ForwardIcon } from "../icon/icons.tsx";
import { moveSlide, releaseSlide, type Slide, startSlide } from "./slide-gesture.ts";
import "./confirm-slide.css";

export interface ConfirmSlideProps {
  /** Said on the track; default "slide to water". */
  label?: string;
  /** The valve that it opens, over the label. */
  about?: ReactNode;
  /** The slide was completed and let go. */
  onConfirm: () => void;
  /** A tap, Enter, or a screen reader's press: asks in a dialog instead. */
  onAsk: () => void;
  /** Why it cannot be used now; shown in place of the label. */
  disabledReason?: string | null;
}

/**
 * Opens a valve with a wet thumb, and never by brushing past: fires on release past 85 % of the track. It is one
 * button, so keyboards and screen readers press it and get the dialog.
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
    // As high as the thumb is wide, but for large letters.
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
    // The click that follows a slide is not a press.
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
          <ForwardIcon />
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
