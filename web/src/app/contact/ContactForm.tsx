import { Button, chakra, Text } from "@chakra-ui/react";
import { CONTACT_LENGTHS } from "@mulkko/shared/rest/account";
import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import { sendContact } from "../../api/contact.ts";
import { useAccount, useRest } from "../../api/hooks.ts";
import { TextArea, TextField } from "../../components/field.tsx";
import { toaster } from "../../components/toaster.tsx";
import { FormNotes } from "../../domain/form/form-notes.tsx";
import { keepDraft, useForm } from "../../domain/form/use-form.ts";

/** Send a message to the operators of the farm server. Unsent text survives closing. */
export function ContactForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("contact");
  const { client } = useRest();
  const account = useAccount();
  const draft = `contact ${account.id}`;
  const form = useForm({
    values: { name: account.nickname ?? "", title: "", message: "" },
    rules: ({ name, message }) => ({
      name: name.trim() === "" ? t("nameRequired") : undefined,
      message: message.trim() === "" ? t("messageRequired") : undefined,
    }),
    failed: t("notSent"),
    draft,
    async submit(values) {
      await sendContact(client, { ...values, name: values.name.trim() });
      toaster.create({ type: "success", title: t("sent") });
    },
    saved: onClose,
  });
  // Unsent text is stored for the next time that the form opens.
  const keepUnsent = useEffectEvent(() => form.changed && keepDraft(draft, form.values));
  useEffect(() => () => void keepUnsent(), []);
  return (
    <chakra.form display="grid" gap="4" p="4" onSubmit={form.submit} noValidate>
      <Text color="fg.muted">{t("text")}</Text>
      <FormNotes form={form} />
      <TextField
        {...form.field("name")}
        label={t("name")}
        required
        autoComplete="name"
        maxLength={CONTACT_LENGTHS.name}
      />
      <TextField
        label={t("email")}
        name="email"
        type="email"
        readOnly
        value={account.userAddress ?? ""}
        hint={t("emailHint")}
      />
      <TextField {...form.field("title")} label={t("about")} maxLength={CONTACT_LENGTHS.title} />
      <TextArea
        {...form.field("message")}
        label={t("message")}
        required
        rows={6}
        maxLength={CONTACT_LENGTHS.message}
      />
      <Button type="submit" size="lg" loading={form.busy} loadingText={t("sending")}>
        {t("send")}
      </Button>
    </chakra.form>
  );
}
