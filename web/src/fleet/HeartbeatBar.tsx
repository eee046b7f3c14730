import { BEAT_SLOTS } from "@mulkko/shared/rest/fleet";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { beatPath, beatRuns, heardShare } from "./beat-runs.ts";
import { useBeats } from "./beats.ts";
import "./heartbeat-bar.css";

/** Where silence begins, of a height of 8: what was heard stands tall, what was not lies low. */
const LOW = 5.5;
const FOOT = 8;

/**
 * The half-hours of the last 48 h in which a device was heard, the present one last. What was heard is tall, silence
 * low, and where nobody looked there is nothing.
 *
 * @param deviceKey its key in the `fleet` stream
 */
export const HeartbeatBar = memo(function HeartbeatBar({ deviceKey }: { deviceKey: string }) {
  const { t } = useTranslation("fleet");
  const beats = useBeats(deviceKey);
  const runs = beats === undefined ? [] : beatRuns(beats);
  const share = beats === undefined ? null : heardShare(beats);
  const words = share === null ? t("beats.unseen") : t("beats.heard", { percent: Math.round(share * 100) });
  return (
    <svg
      className="heartbeat"
      viewBox={`0 0 ${BEAT_SLOTS} ${FOOT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={words}
    >
      <path className="heartbeat__foot" d={`M0 ${FOOT}h${BEAT_SLOTS}`} />
      <path className="heartbeat__heard" d={beatPath(runs, "heard", 0, FOOT)} />
      <path className="heartbeat__silent" d={beatPath(runs, "silent", LOW, FOOT)} />
    </svg>
  );
});
