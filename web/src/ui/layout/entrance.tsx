import type { ReactNode } from "react";
import { ColorModeSwitch } from "../../components/color-mode-switch.tsx";
import { LanguageSwitch } from "../../components/language-switch.tsx";
import { useTranslation } from "../../i18n/use-translation.ts";
import { PaddiesAtDawn } from "../scenes/paddies-at-dawn.tsx";
import { Logo } from "./logo.tsx";
import "./entrance.css";

/** Frame every form before the login: the farm at dawn and this browser's settings. */
export function Entrance({ children }: { children: ReactNode }) {
  const { t } = useTranslation("common");
  return (
    <div className="entrance">
      <header className="entrance__scene">
        <PaddiesAtDawn align="xMidYMid" />
        <div className="entrance__brand">
          <Logo size={52} />
          <p className="entrance__name">{t("app.name")}</p>
          <p className="entrance__claim">{t("app.claim")}</p>
        </div>
      </header>
      <main className="entrance__side">
        <div className="entrance__box">{children}</div>
        <div className="entrance__choices">
          <LanguageSwitch />
          <ColorModeSwitch />
        </div>
      </main>
    </div>
  );
}
