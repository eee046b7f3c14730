import { useMutation } from "@tanstack/react-query";
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
  const { mutate, isPending, error } = useMutation({
    async mutationFn(file: File) {
      await updateAccountImage(client, file);
      await session.reloadAccount().catch(() => undefined);
    },
    onSuccess: () => toaster.create({ type: "success", title: t("photo.saved") }),
  });
  return (
    <ImageField
      label={t("photo.title")}
      shape="portrait"
      value={null}
      current={account.imagePath}
      error={error && `${t("photo.failed")} ${errorWords(error)}`}
      disabled={isPending}
      onChange={(file) => file && mutate(file)}
    />
  );
}
