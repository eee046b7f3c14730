import "./pairing-screen.css";
import { systemClock } from "@mulkko/shared/rules/clock";
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { encode } from "uqr";
import { useStore } from "zustand";
import { WaterGate } from "../../components/scenes/water-gate.tsx";
import { clockText } from "../../domain/time/time-texts.ts";
import { createTicker } from "../../live/live-client.ts";
import { WallBackground } from "../WallBackground.tsx";
import { codeGroups, type Pairing, type PairingState } from "./pairing.ts";

const ticker = createTicker();

/** Return the whole seconds until an instant of the monotonic clock, at least 0, and follow them. */
function useSecondsUntil(endsAt: number): number {
  return useSyncExternalStore(ticker.subscribe, () =>
    Math.max(0, Math.ceil((endsAt - systemClock.monotonic()) / 1000)),
  );
}

/** Quiet zone around a code, modules: lets a camera find its edge. */
const QUIET = 4;

/** Return a QR code as one SVG path of unit squares; `size` is the side of its view box. */
export function qrPath(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { ecc: "M", border: QUIET });
  let path = "";
  data.forEach((row, y) => {
    for (let x = 0; x < row.length; x += 1) {
      if (!row[x]) continue;
      let end = x + 1;
      while (row[end]) end += 1;
      path += `M${x} ${y}h${end - x}v1h${x - end}z`;
      x = end;
    }
  });
  return { size, path };
}

/** Address at which a phone approves a screen. */
interface ApproveAddress {
  /** Target of the QR code. */
  readonly href: string;
  /** Text for typing: host and path without the code. */
  readonly typed: string;
  /** True if only this machine can open it. */
  readonly loopback: boolean;
}

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

const isLoopback = (href: string): boolean => LOOPBACK.test(new URL(href).hostname);

/** `URL.canParse` is missing in the browsers of older televisions. */
function isAddress(text: string): boolean {
  try {
    return new URL(text).host !== "";
  } catch {
    return false;
  }
}

/**
 * Choose the address for a screen's QR code: the installation's public address or the screen's own, depending
 * on which one a phone can open. A control-room computer often opens `localhost`.
 *
 * @param origin of the screen's own page
 */
export function approveAddress(
  { approvePath, approveUrl }: { readonly approvePath: string; readonly approveUrl: string | null },
  origin: string,
): ApproveAddress {
  const own = new URL(approvePath, origin).href;
  const known = approveUrl !== null && isAddress(approveUrl) ? [approveUrl, own] : [own];
  const href = known.find((each) => !isLoopback(each)) ?? own;
  const { host, pathname } = new URL(href);
  return { href, typed: host + pathname, loopback: isLoopback(href) };
}

/** Show an unpaired screen's code, for typing and for scanning. */
export default function PairingScreen({ pairing }: { pairing: Pairing }) {
  const { t } = useTranslation("wall");
  const state = useStore(pairing.store);
  useEffect(() => pairing.start(), [pairing]);
  return (
    <WallBackground scene={<WaterGate align="xMidYMid" />}>
      <h1 className="wall-background__title">{t("pairing.title")}</h1>
      {state.state === "code" ? (
        <Code shown={state} />
      ) : (
        <p className="wall-background__text" role="status">
          {t(state.unreachable ? "pairing.unreachable" : "pairing.asking")}
        </p>
      )}
      {!window.isSecureContext && <Insecure />}
    </WallBackground>
  );
}

function Code({ shown }: { shown: Extract<PairingState, { state: "code" }> }) {
  const { t } = useTranslation("wall");
  const address = approveAddress(shown, window.location.origin);
  const qr = useMemo(() => qrPath(address.href), [address.href]);
  const left = useSecondsUntil(shown.endsAt);
  const [first, second] = codeGroups(shown.code);
  const spoken = [...shown.code].join(" ");
  return (
    <div className="pairing">
      <div className="pairing__qr">
        <svg
          viewBox={`0 0 ${qr.size} ${qr.size}`}
          role="img"
          aria-label={t("pairing.qr")}
          shapeRendering="crispEdges"
        >
          <path d={qr.path} />
        </svg>
      </div>
      <div className="pairing__type">
        <p className="wall-background__text">{t("pairing.scan")}</p>
        <p
          className="pairing__code"
          data-testid="pairing-code"
          role="img"
          aria-label={`${t("pairing.code")} ${spoken}`}
        >
          <span>{first}</span>
          <span>{second}</span>
        </p>
        <p className="wall-background__text">{t("pairing.type", { address: address.typed })}</p>
        {address.loopback && (
          <p className="pairing__warning" role="alert">
            {t("pairing.loopback")}
          </p>
        )}
        <p className="pairing__left">{t("pairing.left", { time: clockText(left) })}</p>
      </div>
    </div>
  );
}

/** Features that a browser refuses to a page over plain HTTP. */
function Insecure() {
  const { t } = useTranslation("wall");
  return (
    <aside className="pairing__insecure">
      <h2>{t("pairing.insecure.title")}</h2>
      <p>{t("pairing.insecure.wake")}</p>
      <p>{t("pairing.insecure.read")}</p>
    </aside>
  );
}
