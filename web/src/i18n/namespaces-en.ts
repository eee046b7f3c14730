import { namespacesOf } from "./namespaces.ts";

export const namespaces = namespacesOf(
  import.meta.glob("./locales/en/*.json", { eager: true, import: "default" }),
);
