import { useTranslation } from "react-i18next";
import { faultTexts } from "../../components/form/use-form.ts";
import type { ProfileFault } from "../../domain/account/profile.ts";
import type { UserFault } from "./user-values.ts";

/** Translate the fault of each field. */
export function useUserFaults() {
  const { t } = useTranslation(["admin-users", "account"]);
  const translate = (fault: UserFault | ProfileFault): string => {
    switch (fault) {
      case "username":
      case "password":
        return t(`hint.${fault}`);
      case "required":
      case "zone":
      case "email":
      case "noEmail":
        return t(`account:profile.fault.${fault}`);
    }
  };
  return (faults: Partial<Record<string, UserFault | ProfileFault>>) => faultTexts(faults, translate);
}
