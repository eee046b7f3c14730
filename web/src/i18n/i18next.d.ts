import type account from "./locales/ko/account.json";
import type common from "./locales/ko/common.json";
import type controller from "./locales/ko/controller.json";
import type dashboard from "./locales/ko/dashboard.json";
import type login from "./locales/ko/login.json";
import type sensorLog from "./locales/ko/sensor-log.json";
import type sensors from "./locales/ko/sensors.json";
import type shell from "./locales/ko/shell.json";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "common";
    resources: {
      account: typeof account;
      common: typeof common;
      controller: typeof controller;
      dashboard: typeof dashboard;
      login: typeof login;
      "sensor-log": typeof sensorLog;
      sensors: typeof sensors;
      shell: typeof shell;
    };
  }
}
