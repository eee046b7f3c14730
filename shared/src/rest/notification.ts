import { type Static, Type } from "typebox";

/** Maximum number of notifications in a list, and so the maximum to mark as read at once. */
export const MAX_NOTIFICATIONS = 100;

/** Body of `POST /api/v1/noti/read` (extension `noti-read`). */
export const NotificationReadBody = Type.Object({
  ids: Type.Array(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), {
    minItems: 1,
    maxItems: MAX_NOTIFICATIONS,
  }),
});
export type NotificationReadBody = Static<typeof NotificationReadBody>;
