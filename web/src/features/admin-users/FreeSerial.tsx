import { Button, chakra } from "@chakra-ui/react";
import { MAX_SERIAL_DIGITS } from "@mulkko/shared/rest/sensor";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { freeSerial } from "../../api/admin-users.ts";
import { useWriteFailureTexts } from "../../api/error-texts.ts";
import { callFailure } from "../../api/errors.ts";
import { useRest } from "../../api/hooks.ts";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { TextField } from "../../components/field.tsx";
import { toaster } from "../../components/toaster.tsx";

const SERIAL = new RegExp(`^\\d{1,${MAX_SERIAL_DIGITS}}$`);

/** Delete one device of a deleted user for good, so that its serial can be registered again. */
export function FreeSerial({ onFreed }: { onFreed: () => void }) {
  const { t } = useTranslation("admin-users");
  const { client } = useRest();
  const failureTexts = useWriteFailureTexts();
  const [serial, setSerial] = useState("");
  const [isAsked, setAsked] = useState(false);
  const freeing = useMutation({
    mutationFn: () => freeSerial(client, serial),
    onSuccess() {
      toaster.create({ type: "success", title: t("trash.free.done", { serial }) });
      setAsked(false);
      setSerial("");
      onFreed();
    },
  });
  const failure =
    freeing.error &&
    failureTexts(t("trash.free.failed"), callFailure(freeing.error), (code) =>
      code === "not-found" ? t("trash.free.none") : null,
    );
  return (
    <>
      <chakra.form
        aria-label={t("trash.free.title")}
        css={{ display: "flex", flexWrap: "wrap", alignItems: "end", gap: "3", mt: "4", maxWidth: "26rem" }}
        onSubmit={(event) => {
          event.preventDefault();
          freeing.reset();
          setAsked(true);
        }}
      >
        <chakra.div flex="1" minW="10rem">
          <TextField
            label={t("trash.free.title")}
            inputMode="numeric"
            autoComplete="off"
            value={serial}
            onChange={(event) => setSerial(event.target.value.trim())}
          />
        </chakra.div>
        <Button type="submit" variant="outline" disabled={!SERIAL.test(serial)}>
          {t("trash.free.confirm")}
        </Button>
      </chakra.form>
      <ConfirmDialog
        open={isAsked}
        danger
        title={t("trash.free.question", { serial })}
        body={t("trash.free.consequence")}
        confirmLabel={t("trash.free.confirm")}
        busy={freeing.isPending}
        error={failure}
        onConfirm={() => freeing.mutate()}
        onClose={() => setAsked(false)}
      />
    </>
  );
}
