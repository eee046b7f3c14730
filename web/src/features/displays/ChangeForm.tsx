import { Box } from "@chakra-ui/react";
import type { Display } from "@mulkko/shared/rest/displays";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { changeDisplay } from "../../api/displays.ts";
import { useAccount, useRest } from "../../api/hooks.ts";
import { Card } from "../../components/card.tsx";
import { toaster } from "../../components/toaster.tsx";
import { DisplayForm, useDisplayForm } from "./DisplayFields.tsx";
import { draftOf } from "./draft.ts";

interface ChangeFormProps {
  readonly display: Display;
  readonly onDone: () => void;
}

/** Edit a paired display's settings; the display applies them as soon as they are stored. */
export function ChangeForm({ display, onDone }: ChangeFormProps) {
  const { t } = useTranslation(["displays", "common"]);
  const { client } = useRest();
  const account = useAccount();
  const [initial] = useState(() => draftOf(display.settings));
  const isOwn = String(display.account) === String(account.id);
  const form = useDisplayForm(initial, async (settings) => {
    await changeDisplay(client, display.id, settings);
    toaster.create({ type: "success", title: t("change.done", { name: settings.name }) });
    onDone();
  });
  const top = useRef<HTMLDivElement>(null);
  // The clicked row may be far below the form.
  useEffect(() => top.current?.focus(), []);
  const mayFleet = (isOwn && account.userType === "ADMIN") || display.settings.pages.includes("fleet");
  return (
    <Box ref={top} css={{ "&:focus": { outline: "none" } }} tabIndex={-1}>
      <Card title={t("change.title", { name: display.settings.name })}>
        <DisplayForm
          form={form}
          mayFleet={mayFleet}
          foreign={!isOwn}
          submit={t("common:action.save")}
          onCancel={onDone}
        />
      </Card>
    </Box>
  );
}
