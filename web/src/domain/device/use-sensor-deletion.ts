import { useTranslation } from "react-i18next";
import type { RestClient } from "../../api/client.ts";
import type { OverValve } from "../../api/closing-first.ts";
import { type Deletion, useDeletion } from "../../components/form/use-deletion.ts";

/**
 * Delete a sensor after a confirmation and return to the list.
 *
 * @param remove the call of the owner or of an administrator
 */
export function useSensorDeletion(
  id: string,
  returnTo: string,
  remove: (rest: RestClient, id: string, over: OverValve) => Promise<void>,
): Deletion {
  const { t } = useTranslation("devices");
  return useDeletion({
    remove: (rest, over) => remove(rest, id, over),
    returnTo,
    done: t("delete.done"),
    failed: t("delete.failed"),
  });
}
