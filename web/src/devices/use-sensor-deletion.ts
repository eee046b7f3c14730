import { useTranslation } from "../i18n/use-translation.ts";
import type { RestClient } from "../rest/client.ts";
import { type Deletion, useDeletion } from "../ui/overlay/use-deletion.ts";

/**
 * Deletes a sensor after it was asked about, and goes back to the list.
 *
 * @param remove the call: one's own sensor's, or an administrator's
 */
export function useSensorDeletion(
  id: string,
  returnTo: string,
  remove: (rest: RestClient, id: string) => Promise<void>,
): Deletion {
  const { t } = useTranslation("devices");
  return useDeletion({
    remove: (rest) => remove(rest, id),
    returnTo,
    done: t("delete.done"),
    failed: t("delete.failed"),
  });
}
