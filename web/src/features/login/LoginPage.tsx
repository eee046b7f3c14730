import { useTranslation } from "react-i18next";
import { Navigate, useLocation } from "react-router-dom";
import { useSession } from "../../rest/hooks.ts";
import { ColorModeSwitch } from "../../ui/form/color-mode-switch.tsx";
import { LanguageSwitch } from "../../ui/form/language-switch.tsx";
import { Logo } from "../../ui/layout/logo.tsx";
import { PaddiesAtDawn } from "../../ui/scenes/paddies-at-dawn.tsx";
import { LoginForm } from "./LoginForm.tsx";
import { readLoginState } from "./origin.ts";
import { SetupForm } from "./SetupForm.tsx";
import { useSetup } from "./use-setup.ts";
import "./login.css";

/** The way in: the farm at dawn, and two fields. */
export function LoginPage() {
  const { t } = useTranslation("common");
  const session = useSession();
  const setup = useSetup();
  const { origin, expired } = readLoginState(useLocation().state);
  if (session.state === "signed-in") return <Navigate to={origin} replace />;
  return (
    <div className="login">
      <header className="login__scene">
        <PaddiesAtDawn align="xMidYMid" />
        <div className="login__brand">
          <Logo size={52} />
          <p className="login__name">{t("app.name")}</p>
          <p className="login__claim">{t("app.claim")}</p>
        </div>
      </header>
      <main className="login__side">
        <div className="login__box">
          {setup.needed ? <SetupForm onMade={setup.done} /> : <LoginForm expired={expired} />}
        </div>
        <div className="login__choices">
          <LanguageSwitch />
          <ColorModeSwitch />
        </div>
      </main>
    </div>
  );
}
