import { Button } from "@chakra-ui/react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "../i18n/use-translation.ts";
import { CheckField } from "../ui/form/check-field.tsx";
import { ColorModeSwitch } from "../ui/form/color-mode-switch.tsx";
import { FormNotes } from "../ui/form/form-notes.tsx";
import { ImageField } from "../ui/form/image-field.tsx";
import { LanguageSwitch } from "../ui/form/language-switch.tsx";
import { NumberField } from "../ui/form/number-field.tsx";
import { SearchSelect } from "../ui/form/search-select.tsx";
import { SelectField } from "../ui/form/select-field.tsx";
import { TextArea } from "../ui/form/text-area.tsx";
import { TextField } from "../ui/form/text-field.tsx";
import { TimeField } from "../ui/form/time-field.tsx";
import { ZoneField } from "../ui/form/zone-field.tsx";
import { TrashIcon } from "../ui/icon/icons.tsx";
import { Card } from "../ui/layout/card.tsx";
import { ConfirmDialog } from "../ui/overlay/confirm-dialog.tsx";
import { OverflowMenu } from "../ui/overlay/overflow-menu.tsx";

const SERIALS = ["24110101", "24110102", "24110103", "24110104"];

/** A control with its own state. */
function Alive<T>({ begin, draw }: { begin: T; draw: (value: T, set: (value: T) => void) => ReactNode }) {
  const [value, set] = useState(begin);
  return draw(value, set);
}

/** Show form controls. */
export function FormSection() {
  const { t } = useTranslation(["login", "common", "account"]);
  const [asking, setAsking] = useState(false);
  const nothing = () => undefined;
  return (
    <Card
      title="Forms"
      aside={
        <OverflowMenu
          label={t("common:action.details")}
          actions={[
            {
              key: "delete",
              label: t("common:action.delete"),
              icon: <TrashIcon />,
              danger: true,
              onChoose: () => setAsking(true),
            },
          ]}
        />
      }
    >
      <div style={{ display: "grid", gap: 16, maxWidth: 560 }}>
        <FormNotes
          form={{
            failure: t("common:error.network"),
            values: {},
            elsewhere: {},
            takeOver: nothing,
            keepMine: nothing,
          }}
        />
        <Alive<File | null>
          begin={null}
          draw={(file, set) => (
            <ImageField label={t("account:nickname")} value={file} current={null} onChange={set} />
          )}
        />
        <TextField label={t("id")} hint={t("idHint")} defaultValue="farmer" maxLength={16} />
        <TextField label={t("password")} error={t("passwordRequired")} type="password" required />
        <div className="form__pair">
          <TextField label={t("id")} disabled defaultValue="farmer" />
          <TextField label={t("common:field.serial")} readOnly defaultValue="24110101" />
        </div>
        <div className="form__pair">
          <Alive
            begin="30,5"
            draw={(text, set) => (
              <NumberField label={t("common:field.moisture")} value={text} onChange={set} />
            )}
          />
          <Alive
            begin="06:30"
            draw={(text, set) => (
              <TimeField label={t("common:mode.reservation")} value={text} onChange={set} />
            )}
          />
          <Alive
            begin="SMS"
            draw={(text, set) => (
              <SelectField
                label={t("common:deviceType.SES")}
                value={text}
                options={["SMS", "SSH", "AT"].map((value) => ({ value, label: value }))}
                onChange={set}
              />
            )}
          />
          <Alive
            begin="Asia/Seoul"
            draw={(text, set) => <ZoneField label={t("account:timezone")} value={text} onChange={set} />}
          />
        </div>
        <TextArea label={t("common:action.details")} />
        <Alive
          begin=""
          draw={(text, set) => (
            <SearchSelect
              label={t("common:field.serial")}
              text={text}
              onText={set}
              maxHeight={100}
              options={SERIALS.filter((serial) => serial.includes(text)).map((value) => ({
                value,
                label: value,
              }))}
              onPick={set}
            />
          )}
        />
        <Alive
          begin={true}
          draw={(on, set) => (
            <>
              <CheckField label={t("account:email")} checked={on} onChange={set} hint={t("idHint")} />
              <CheckField label={t("account:email")} checked={on} onChange={set} look="switch" />
            </>
          )}
        />
        <div className="gallery__row">
          <LanguageSwitch />
          <ColorModeSwitch />
        </div>
        <div className="gallery__row">
          <Button>{t("submit")}</Button>
          <Button variant="outline">{t("common:action.cancel")}</Button>
          <Button variant="ghost">{t("common:action.details")}</Button>
          <Button colorPalette="red" onClick={() => setAsking(true)}>
            {t("common:action.delete")}
          </Button>
          <Button disabled>{t("common:action.save")}</Button>
          <Button loading loadingText={t("submitting")}>
            {t("submit")}
          </Button>
        </div>
      </div>
      <ConfirmDialog
        open={asking}
        title={t("common:form.leave.title")}
        body={<p>{t("common:form.leave.text")}</p>}
        confirmLabel={t("common:action.delete")}
        danger
        onConfirm={() => setAsking(false)}
        onClose={() => setAsking(false)}
      />
    </Card>
  );
}
