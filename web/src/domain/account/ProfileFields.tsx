import { ACCOUNT_LENGTHS } from "@mulkko/shared/rest/account";
import { LANGUAGES } from "@mulkko/shared/rules/account-fields";
import type { ComponentProps } from "react";
import { useTranslation } from "react-i18next";
import { CheckField } from "../../components/choice.tsx";
import { SelectField, TextField, ZoneField } from "../../components/field.tsx";
import { LANGUAGE_CHOICES } from "../../components/language-switch.tsx";
import { languageOf } from "../../i18n/language.ts";
import type { FormControl } from "../form/use-form.ts";
import type { ProfileOffer, ProfileValues } from "./profile.ts";

type TextName = "nickname" | "phone" | "userAddress" | "farmAddress";

/** Keyboard type and maximum length of each text field. */
const TEXTS: Readonly<Record<TextName, Partial<ComponentProps<typeof TextField>>>> = {
  nickname: { autoComplete: "name", maxLength: ACCOUNT_LENGTHS.nickname },
  phone: { autoComplete: "tel", inputMode: "tel", type: "tel", maxLength: ACCOUNT_LENGTHS.phone },
  userAddress: {
    autoComplete: "email",
    inputMode: "email",
    type: "email",
    maxLength: ACCOUNT_LENGTHS.address,
  },
  farmAddress: { autoComplete: "organization", maxLength: ACCOUNT_LENGTHS.address },
};

const LANGUAGE_NAMES = new Map(LANGUAGE_CHOICES.map(({ value, label }) => [value, label]));

/** Return the labels of the fields. */
export function useProfileLabels(): Readonly<Record<keyof ProfileValues, string>> {
  const { t } = useTranslation("account");
  return {
    nickname: t("nickname"),
    farmAddress: t("farm"),
    phone: t("phone"),
    userAddress: t("email"),
    timezone: t("timezone"),
    language: t("profile.language"),
    emailNotification: t("profile.emailNotification"),
  };
}

interface ProfileFieldsProps {
  form: FormControl<ProfileValues>;
  offer: ProfileOffer;
  /** Owner of the profile. For another person's profile the browser offers no autofill. */
  whose: "own" | "other";
}

/**
 * Fields for a user's name, contact, farm and notifications. The page loads the translations of `account`.
 */
export function ProfileFields({ form, offer, whose }: ProfileFieldsProps) {
  const { t } = useTranslation("account");
  const labels = useProfileLabels();
  const text = (name: TextName) => (
    <TextField
      {...TEXTS[name]}
      {...(whose === "other" ? { autoComplete: "off" } : {})}
      {...form.field(name)}
      label={labels[name]}
      required
    />
  );
  return (
    <>
      <div className="form__pair">
        {text("nickname")}
        {text("farmAddress")}
        {text("phone")}
        {text("userAddress")}
        <ZoneField {...form.field("timezone")} label={labels.timezone} hint={t("profile.zoneHint")} />
        {offer.language && (
          <SelectField
            {...form.field("language")}
            label={labels.language}
            hint={t("profile.languageHint")}
            placeholder="--"
            options={LANGUAGES.map((value) => ({
              value,
              label: LANGUAGE_NAMES.get(languageOf(value) ?? "ko") ?? value,
            }))}
            onChange={(value) => form.set("language", LANGUAGES.find((each) => each === value) ?? "")}
          />
        )}
      </div>
      {offer.emailNotification && (
        <CheckField
          label={labels.emailNotification}
          hint={t("profile.emailNotificationHint")}
          name="emailNotification"
          checked={form.values.emailNotification}
          error={form.error("emailNotification")}
          onChange={(checked) => {
            form.set("emailNotification", checked);
            form.touch("emailNotification");
          }}
        />
      )}
    </>
  );
}
