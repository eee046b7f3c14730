import { namespacesOf } from "./namespaces.ts";

export const namespaces = namespacesOf(
  import.meta.glob("./locales/ko/*.json", { eager: true, import: "default" }),
);
