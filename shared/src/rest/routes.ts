type Id = string | number;

/**
 * Header of a deletion that is passed on although a valve is not reported closed (CMD-15): the user was
 * asked.
 */
export const DESPITE_OPEN_VALVE = "x-despite-open-valve";

const e = encodeURIComponent;

const setting = (channelId: Id, name: string, id?: Id) =>
  `/api/v1/controller/channel/${e(channelId)}/${name}${id === undefined ? "" : `/${e(id)}`}`;

/** Return the pattern of a path with one parameter, as a router expects it. */
export const routePattern = (path: (id: string) => string, parameter: string): string =>
  path(`:${parameter}`).replace("%3A", ":");

/** Paths of the farm API, as `spec` names them. */
export const apiPath = {
  login: "/api/account/login",
  accountInfo: "/api/account/info",
  logout: "/api/account/logout",
  refresh: "/api/account/update/refresh",
  accountUpdate: (id: Id) => `/api/account/update/${e(id)}`,
  accountImage: "/api/account/update/image",
  contact: "/api/account/contact",
  ownPassword: "/api/account/password",
  recover: "/api/account/recover",
  recoverConfirm: "/api/account/recover/confirm",
  /** Extension `sessions`. */
  sessions: "/api/v1/session",
  session: (id: Id) => `/api/v1/session/${e(id)}`,
  notifications: "/api/v1/noti/list",
  /** Extension `noti-read`. */
  notificationsRead: "/api/v1/noti/read",
  clusters: "/api/v1/cluster/list",
  clusterAdd: "/api/v1/cluster/add",
  clusterUpdate: (id: Id) => `/api/v1/cluster/update/${e(id)}`,
  clusterDelete: (id: Id) => `/api/v1/cluster/delete/${e(id)}`,
  sensors: "/api/v1/sensor/list",
  sensorsOfType: (deviceType: string) => `/api/v1/sensor/list/${e(deviceType)}`,
  widgets: "/api/v1/sensor/widget/list",
  sensor: (id: Id) => `/api/v1/sensor/read/${e(id)}`,
  sensorAdd: "/api/v1/sensor/add",
  sensorUpdate: (id: Id) => `/api/v1/sensor/update/${e(id)}`,
  sensorImage: (id: Id) => `/api/v1/sensor/update/${e(id)}/image`,
  sensorDelete: (id: Id) => `/api/v1/sensor/delete/${e(id)}`,
  log: (id: Id, start: string, end: string) => `/api/v1/sensor/read/log/${e(id)}/${e(start)}/${e(end)}`,
  cotLog: (id: Id, channel: number, start: string, end: string) =>
    `/api/v1/sensor/read/log/cot/${e(id)}/ch/${e(channel)}/${e(start)}/${e(end)}`,
  latest: (id: Id) => `/api/v1/sensor/read/log/${e(id)}/latest`,
  latestMqtt: (id: Id) => `/api/v1/sensor/read/log/${e(id)}/latest/mqtt`,
  moisture: (channelId: Id) => `/api/v1/sensor/channel/${e(channelId)}/moisture`,
  controllers: "/api/v1/controller",
  controller: (id: Id) => `/api/v1/controller/${e(id)}`,
  /** Extension `controller-image`. */
  controllerImage: (id: Id) => `/api/v1/controller/${e(id)}/image`,
  channel: (channelId: Id) => `/api/v1/sensor/channel/${e(channelId)}`,
  channelSensor: (channelId: Id, sensorId: Id) =>
    `/api/v1/sensor/channel/${e(channelId)}/sensor/${e(sensorId)}`,
  /** A mode's setting of a channel: read and created without `id`, changed with it. */
  trigger: (channelId: Id, id?: Id) => setting(channelId, "trigger", id),
  reservation: (channelId: Id, id?: Id) => setting(channelId, "reservation", id),
  period: (channelId: Id, id?: Id) => setting(channelId, "period", id),
  /** Extension `mode-enable`. */
  mode: (channelId: Id) => setting(channelId, "mode"),
  refreshState: (serial: Id, channelId: Id) =>
    `/api/v1/controller/${e(serial)}/channel/${e(channelId)}/refresh`,
  command: "/api/v1/controller/cmd",
  legacyCommand: "/api/v1/sensor/cmd",
  setup: "/api/v1/setup",
  capabilities: "/api/v1/capabilities",
  relaySession: "/api/v1/relay/session",
  /** Extension `relay-audit`. */
  relayAudit: "/api/v1/relay/audit",
  relayStorage: "/api/v1/relay/storage",
  relayAccess: "/api/v1/relay/access",
  /** Extension `devices`: a new key, and the list of decoders. */
  deviceKey: (id: Id) => `/api/v1/device/${e(id)}/key`,
  /** Extension `dead-letters`: rejected messages, and unknown devices that try to connect. */
  deadLetters: (id: Id) => `/api/v1/device/${e(id)}/dead-letters`,
  adminKnocks: "/api/v1/admin/knocks",
  deviceProfiles: "/api/v1/device/profiles",
  adminUser: (id: Id) => `/api/v1/admin/user/info/${e(id)}`,
  adminUserRegister: "/api/v1/admin/user/register",
  adminUserUpdate: (id: Id) => `/api/v1/admin/user/update/${e(id)}`,
  adminUserDelete: (id: Id) => `/api/v1/admin/user/delete/${e(id)}`,
  adminChangePassword: (id: Id) => `/api/v1/admin/user/changepassword/${e(id)}`,
  /** Extension `trash`. */
  adminTrash: "/api/v1/admin/trash",
  adminUserRestore: (id: Id) => `/api/v1/admin/user/restore/${e(id)}`,
  adminSensors: "/api/v1/admin/sensors",
  adminSensorAdd: "/api/v1/admin/sensor/add",
  adminSensorUpdate: "/api/v1/admin/sensor/update",
  adminSensorDelete: (id: Id) => `/api/v1/admin/sensor/delete/${e(id)}`,
  /** Extension `admin-clusters`. */
  adminClusters: "/api/v1/admin/clusters",
  adminUsers: "/api/v1/admin/users",
  /** Extension `audit`: actions of administrators, commands, and messages to administrators. */
  adminAudit: "/api/v1/admin/audit",
  adminCommands: "/api/v1/admin/commands",
  /** Extension `sign-ins`: attempts to sign in, successful and failed. */
  adminSignIns: "/api/v1/admin/sign-ins",
  /** Extension `backups`. */
  adminBackups: "/api/v1/admin/backups",
  adminContacts: "/api/v1/admin/contacts",
  /** Mails, sent and stored (in the bundled farm API). */
  adminOutbox: "/api/v1/admin/outbox",
  adminDevices: "/api/v1/admin/devices",
} as const;

/** Paths of the relay's own routes. */
export const relayPath = {
  config: "/relay/config",
  /** The live protocol as an AsyncAPI document. */
  asyncApi: "/relay/asyncapi.json",
  history: "/relay/history",
  commands: "/relay/commands",
  /** Withdraws an opening without an answer (CMD-12). */
  withdrawCommand: (commandId: string) => `/relay/commands/${e(commandId)}/withdraw`,
  /** `all` for the whole account. */
  closeAll: (farmId: Id) => `/relay/farms/${e(farmId)}/close-all`,
  alarms: "/relay/alarms",
  acknowledgeAlarm: (id: Id) => `/relay/alarms/${e(id)}/ack`,
  snoozeAlarm: (id: Id) => `/relay/alarms/${e(id)}/snooze`,
  closeIn: (alarmId: Id) => `/relay/alarms/${e(alarmId)}/close-in`,
  settings: "/relay/settings",
  /** Settings of one channel, and of one controller or COT sensor. */
  channelSettings: (channelId: Id) => `/relay/channels/${e(channelId)}`,
  controllerSettings: (controllerId: Id) => `/relay/controllers/${e(controllerId)}`,
  waterings: "/relay/waterings",
  wateringPreview: "/relay/waterings/preview",
  weather: "/relay/weather",
  watch: "/relay/watch",
  /** The valves that a log-out would close first. */
  logout: "/relay/logout",
  storage: "/relay/storage",
  /** Prefix of the path of a photo anywhere at the farm API. */
  photo: "/relay/photo",
  /** Deviations of the farm API from the contract. */
  oddFields: "/relay/odd-fields",
  fleetBeats: "/relay/fleet/beats",
  displays: "/relay/displays",
  display: (id: Id) => `/relay/displays/${e(id)}`,
  /** Routes for a display's own token. */
  ownDisplay: "/relay/display",
  displayCodes: "/relay/displays/codes",
  displayCode: (code: string) => `/relay/displays/codes/${e(code)}`,
  displayToken: "/relay/displays/token",
  stopWatching: "/relay/stop-watching",
  startWatching: "/relay/start-watching",
  health: "/health",
  ready: "/ready",
  metrics: "/metrics",
  socketIo: "/socket.io/",
  webSocket: "/live",
} as const;
