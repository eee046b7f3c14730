import { chakra } from "@chakra-ui/react";
import { useTranslation } from "react-i18next";

interface PhoneLinkProps {
  /** Person or account that answers. */
  readonly name: string;
  readonly phone: string;
}

/** Telephone number as a link that calls it. */
export function PhoneLink({ name, phone }: PhoneLinkProps) {
  const { t } = useTranslation("urgent");
  return (
    <chakra.a
      href={`tel:${phone.replace(/[^+\d]/g, "")}`}
      aria-label={t("call", { name, phone })}
      display="inline-flex"
      alignItems="center"
      minH="max(2rem, var(--finger))"
      textDecoration="underline"
      textUnderlineOffset="0.2em"
      whiteSpace="nowrap"
    >
      {phone}
    </chakra.a>
  );
}
