/** Kinds of entity that a write may have touched; their lists come due (POLL-8). */
export type Touched = "sensor" | "farm" | "controller" | "channel" | "notification" | "account";

const BY_PATH: readonly (readonly [RegExp, readonly Touched[]])[] = [
  [/^\/api\/v1\/sensor\/channel\//, ["controller", "channel"]],
  [/^\/api\/v1\/sensor\/cmd/, ["channel"]],
  [/^\/api\/v1\/sensor\//, ["sensor", "farm"]],
  [/^\/api\/v1\/cluster\//, ["farm", "sensor"]],
  [/^\/api\/v1\/controller\/cmd/, ["channel"]],
  [/^\/api\/v1\/controller\/channel\//, ["channel"]],
  [/^\/api\/v1\/controller/, ["controller", "channel"]],
  [/^\/api\/v1\/noti\//, ["notification"]],
];

/** What a write to a path of the farm API may have changed; nothing for paths outside the account's devices. */
export function touchedBy(path: string): readonly Touched[] {
  return BY_PATH.find(([pattern]) => pattern.test(path))?.[1] ?? [];
}
