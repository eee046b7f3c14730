import { useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { WaterGate } from "../../components/scenes/water-gate.tsx";
import { clockText } from "../../domain/time/countdown.ts";
import { Scenic } from "../Scenic.tsx";
import { approveAddress } from "./approve-address.ts";
import { codeGroups, type Pairing, type PairingState } from "./pairing.ts";
import { qrPath } from "./qr-path.ts";
import { useSecondsUntil } from "./use-seconds-until.ts";
import "./pairing-screen.css";

/** Show an unpaired screen's code, for typing and for scanning. */
export default function PairingScreen({ pairing }: { pairing: Pairing }) {
  const { t } = useTranslation("wall");
  const state = useStore(pairing.store);
  useEffect(() => pairing.start(), [pairing]);
  return (
    <Scenic scene={<WaterGate align="xMidYMid" />}>
      <h1 className="scenic__title">{t("pairing.title")}</h1>
      {state.state === "code" ? (
        <Code shown={state} />
      ) : (
        <p className="scenic__text" role="status">
          {t(state.unreachable ? "pairing.unreachable" : "pairing.asking")}
        </p>
      )}
      {!window.isSecureContext && <Insecure />}
    </Scenic>
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
        <p className="scenic__text">{t("pairing.scan")}</p>
        <p
          className="pairing__code"
          data-testid="pairing-code"
          role="img"
          aria-label={`${t("pairing.code")} ${spoken}`}
        >
          <span>{first}</span>
          <span>{second}</span>
        </p>
        <p className="scenic__text">{t("pairing.type", { address: address.typed })}</p>
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
