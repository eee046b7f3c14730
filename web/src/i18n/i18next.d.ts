import type admin from "./locales/ko/admin.json";
import type app from "./locales/ko/app.json";
import type wall from "./locales/ko/wall.json";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "common";
    resources: typeof app & typeof admin & typeof wall;
  }
}
