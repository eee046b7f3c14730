import { Type } from "typebox";

/** A UTC instant as on every live stream and under `/relay/*`: `2026-11-21T05:04:03.120Z`. */
export const Instant = Type.String({
  pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?Z$",
});
