import { namespacesOf } from "./namespaces.ts";

export const namespaces = namespacesOf(
  import.meta.glob("./locales/zh/*.json", { eager: true, import: "default" }),
);
