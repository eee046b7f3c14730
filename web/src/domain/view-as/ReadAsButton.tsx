import { Button } from "@chakra-ui/react";
import { EyeIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import { useAccount, useRest } from "../../api/hooks.ts";
import type { ReadAccount } from "../../api/view-as.ts";

interface ReadAsButtonProps {
  account: ReadAccount;
  /** The page of the farm that is opened; its dashboard without it. */
  to?: string;
  /** `sm` beside other buttons of a line. */
  size?: "sm" | "md";
}

/** Opens an account's farm as the account itself sees it, read only (HS-2); nothing where it is one's own. */
export function ReadAsButton({ account, to = "/dashboard", size = "md" }: ReadAsButtonProps) {
  const { t } = useTranslation("shell");
  const navigate = useNavigate();
  const { reading } = useRest();
  const own = useAccount();
  if (!reading || `${own.id}` === account.id) return null;
  return (
    <Button
      className="read-as"
      data-testid="read-as"
      variant="outline"
      size={size}
      onClick={() => {
        reading.begin(account);
        void navigate(to);
      }}
    >
      <EyeIcon />
      {t("reading.begin", { name: account.name })}
    </Button>
  );
}
