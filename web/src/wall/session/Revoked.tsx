import { useTranslation } from "../../i18n/use-translation.ts";
import { LostLink } from "../../ui/scenes/lost-link.tsx";
import { Scenic } from "../Scenic.tsx";

/** A remote control has one key that presses, and no way to move. */
const focus = (button: HTMLButtonElement | null) => button?.focus();

/** The screen's account is suspended: nothing of the farm is shown, and nothing can be pressed. */
export function Suspended() {
  const { t } = useTranslation("wall");
  return (
    <Scenic scene={<LostLink align="xMidYMid" />}>
      <h1 className="scenic__title">{t("suspended.title")}</h1>
      <p className="scenic__text">{t("suspended.text")}</p>
    </Scenic>
  );
}

/** Somebody has taken this screen's token back: it says so, and shows nothing of the farm any more. */
export function Revoked({ onAgain }: { onAgain: () => void }) {
  const { t } = useTranslation("wall");
  return (
    <Scenic scene={<LostLink align="xMidYMid" />}>
      <h1 className="scenic__title">{t("revoked.title")}</h1>
      <p className="scenic__text">{t("revoked.text")}</p>
      <button type="button" className="wall-button" onClick={onAgain} ref={focus}>
        {t("revoked.again")}
      </button>
    </Scenic>
  );
}
