import { Flex } from "@chakra-ui/react";
import { EyeIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import type { ReadAccount } from "../../api/view-as.ts";
import { useSurface } from "../../theme/use-surface.ts";
import { ADMIN_PATH } from "./view-as-address.ts";
import "./reading.css";

/** Banner at the top of every page of another account's farm: account, read-only state and exit. */
export function ReadingBanner({ account, farm }: { account: ReadAccount; farm?: string | undefined }) {
  const { t } = useTranslation("shell");
  // A phone has space for the account's name and two words.
  const short = useSurface() === "phone";
  return (
    <section className="reading-banner" aria-label={t("reading.label")}>
      <EyeIcon />
      <Flex
        as="p"
        align="baseline"
        rowGap="0"
        columnGap="3"
        flex="1"
        minW="0"
        lineHeight="1.3"
        direction={{ mdDown: "column" }}
        css={{
          "& > *": { overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" },
          mdDown: { "& > *": { maxW: "full" } },
        }}
      >
        <strong>{t("reading.whose", { name: account.name })}</strong>
        <span>
          {short ? t("reading.viewOnly") : [farm, t("reading.readOnly")].filter(Boolean).join(" · ")}
        </span>
      </Flex>
      <Link className="reading-banner__leave" to={ADMIN_PATH}>
        {t("reading.leave")}
      </Link>
    </section>
  );
}
