import { useState } from "react";
import { useTranslation } from "react-i18next";
import { updateAccountImage } from "../../api/account.ts";
import { useAccount, useRest } from "../../api/hooks.ts";
import { ImageField } from "../../components/image-field.tsx";
import { toaster } from "../../components/toaster.tsx";
import { useErrorWords } from "../../components/use-error-words.ts";

/** The user's own photo. It is uploaded as soon as it is chosen, independent of the form. */
export function PhotoField() {
  const { t } = useTranslation("account");
  const errorWords = useErrorWords();
  const account = useAccount();
  const { client, session } = useRest();
  const [sending, setSending] = useState<File | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const send = async (file: File) => {
    setSending(file);
    setFailure(null);
    try {
      await updateAccountImage(client, file);
      await session.reloadAccount().catch(() => undefined);
      toaster.create({ type: "success", title: t("photo.saved") });
    } catch (error) {
      setFailure(`${t("photo.failed")} ${errorWords(error)}`);
    } finally {
      setSending(null);
    }
  };
  return (
    <ImageField
      label={t("photo.title")}
      shape="portrait"
      value={null}
      current={account.imagePath}
      error={failure}
      disabled={sending !== null}
      onChange={(file) => {
        if (file) void send(file);
      }}
    />
  );
}
