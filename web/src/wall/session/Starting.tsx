import { useTranslation } from "react-i18next";
import { PaddiesAtDawn } from "../../components/scenes/paddies-at-dawn.tsx";
import { Scenic } from "../Scenic.tsx";

/** Waiting screen until the settings are known; the relay is polled forever. */
export function Starting({ unreachable }: { unreachable: boolean }) {
  const { t } = useTranslation("wall");
  return (
    <Scenic scene={<PaddiesAtDawn align="xMidYMid" />}>
      <h1 className="scenic__title">{t("starting")}</h1>
      <p className="scenic__text" role="status">
        {unreachable && t("pairing.unreachable")}
      </p>
    </Scenic>
  );
}
