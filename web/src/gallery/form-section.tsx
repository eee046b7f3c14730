import { Button } from "@chakra-ui/react";
import { useTranslation } from "react-i18next";
import { ColorModeSwitch } from "../ui/form/color-mode-switch.tsx";
import { LanguageSwitch } from "../ui/form/language-switch.tsx";
import { TextField } from "../ui/form/text-field.tsx";
import { Card } from "../ui/layout/card.tsx";

/** Controls that people fill in. */
export function FormSection() {
  const { t } = useTranslation(["login", "common"]);
  return (
    <Card title="Forms">
      <div style={{ display: "grid", gap: 16, maxWidth: 400 }}>
        <TextField label={t("id")} hint={t("idHint")} defaultValue="farmer" maxLength={16} />
        <TextField label={t("password")} error={t("passwordRequired")} type="password" required />
        <TextField label={t("id")} disabled defaultValue="farmer" />
        <div className="gallery__row">
          <LanguageSwitch />
          <ColorModeSwitch />
        </div>
        <div className="gallery__row">
          <Button>{t("submit")}</Button>
          <Button variant="outline">{t("common:action.cancel")}</Button>
          <Button variant="ghost">{t("common:action.details")}</Button>
          <Button colorPalette="red">{t("common:action.delete")}</Button>
          <Button disabled>{t("common:action.save")}</Button>
          <Button loading loadingText={t("submitting")}>
            {t("submit")}
          </Button>
        </div>
      </div>
    </Card>
  );
}
