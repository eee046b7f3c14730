/** Why a message, or one field of it, was not taken. */
export const REJECT_REASONS = [
  "unknown-topic",
  "unknown-serial",
  "unknown-external-id",
  "no-profile",
  "unknown-channel",
  "too-large",
  "not-json",
  "not-decoded",
  "wrong-type",
  "out-of-range",
  "bad-time",
  "from-future",
  "no-usable-field",
  "not-storable",
] as const;
export type RejectReason = (typeof REJECT_REASONS)[number];
