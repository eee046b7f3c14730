import { useTranslation } from "react-i18next";
import { LostLink } from "../../components/scenes/lost-link.tsx";
import { Scenic } from "../Scenic.tsx";

/** A remote control has one confirm key and no pointer. */
const focus = (button: HTMLButtonElement | null) => button?.focus();

/** Show that the screen's account is suspended: no farm data, no controls. */
export function Suspended() {
  const { t } = useTranslation("wall");
  return (
    <Scenic scene={<LostLink align="xMidYMid" />}>
      <h1 className="scenic__title">{t("suspended.title")}</h1>
      <p className="scenic__text">{t("suspended.text")}</p>
    </Scenic>
  );
}

/** Show that the screen's token was revoked, without any farm data. */
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
