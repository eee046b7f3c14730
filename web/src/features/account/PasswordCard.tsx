import { Button, Grid } from "@chakra-ui/react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { SESSIONS } from "../../api/account.ts";
import { useExtension, useExtensionAnswer } from "../../api/extensions.ts";
import { useAccount } from "../../api/hooks.ts";
import { useReload } from "../../api/queries.tsx";
import { Card } from "../../components/card.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { PasswordDialog } from "../../domain/account/PasswordDialog.tsx";

/**
 * Change the own password, depending on the API: with the current one, as an administrator, or by a mailed
 * link.
 */
export function PasswordCard() {
  const { t } = useTranslation("account");
  const account = useAccount();
  const reload = useReload();
  const [open, setOpen] = useState(false);
  const own = useExtension("own-password");
  const byMail = useExtensionAnswer("password-mail");
  const isAdmin = account.userType === "ADMIN";
  return (
    <Card title={t("password.title")}>
      <Grid gap="6" justifyItems="start">
        {own || isAdmin ? (
          <Button variant="outline" onClick={() => setOpen(true)}>
            {t("password.open")}
          </Button>
        ) : byMail === false ? (
          <p>{t("password.byAdministrator")}</p>
        ) : (
          <>
            <p>{t("password.byMail")}</p>
            <TextLink to="/pages-recoverpw">{t("password.askMail")}</TextLink>
          </>
        )}
      </Grid>
      {open && (
        <PasswordDialog
          account={account}
          own={own}
          note={t("password.others")}
          onChanged={() => reload(SESSIONS)}
          onClose={() => setOpen(false)}
        />
      )}
    </Card>
  );
}
