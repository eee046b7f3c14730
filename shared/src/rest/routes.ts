type Id = string | number;
const e = encodeURIComponent;

/** Paths of the farm API, as `spec` names them. */
export const apiPath = {
  login: "/api/account/login",
  accountInfo: "/api/account/info",
  logout: "/api/account/logout",
  refresh: "/api/account/update/refresh",
  notifications: "/api/v1/noti/list",
  clusters: "/api/v1/cluster/list",
  sensors: "/api/v1/sensor/list",
  sensorsOfType: (deviceType: string) => `/api/v1/sensor/list/${e(deviceType)}`,
  widgets: "/api/v1/sensor/widget/list",
  sensor: (id: Id) => `/api/v1/sensor/read/${e(id)}`,
  log: (id: Id, start: string, end: string) => `/api/v1/sensor/read/log/${e(id)}/${e(start)}/${e(end)}`,
  cotLog: (id: Id, channel: number, start: string, end: string) =>
    `/api/v1/sensor/read/log/cot/${e(id)}/ch/${e(channel)}/${e(start)}/${e(end)}`,
  latest: (id: Id) => `/api/v1/sensor/read/log/${e(id)}/latest`,
  latestMqtt: (id: Id) => `/api/v1/sensor/read/log/${e(id)}/latest/mqtt`,
  moisture: (channelId: Id) => `/api/v1/sensor/channel/${e(channelId)}/moisture`,
  controllers: "/api/v1/controller",
  controller: (id: Id) => `/api/v1/controller/${e(id)}`,
  refreshState: (serial: Id, channelId: Id) =>
    `/api/v1/controller/${e(serial)}/channel/${e(channelId)}/refresh`,
  command: "/api/v1/controller/cmd",
  legacyCommand: "/api/v1/sensor/cmd",
  setup: "/api/v1/setup",
  capabilities: "/api/v1/capabilities",
  relaySession: "/api/v1/relay/session",
  adminSensors: "/api/v1/admin/sensors",
  adminDevices: "/api/v1/admin/devices",
} as const;

/** Paths of the relay's own routes. */
export const relayPath = {
  config: "/relay/config",
  /** The live protocol as an AsyncAPI document. */
  asyncApi: "/relay/asyncapi.json",
  history: "/relay/history",
  commands: "/relay/commands",
  /** `all` for the whole account. */
  closeAll: (farmId: Id) => `/relay/farms/${e(farmId)}/close-all`,
  alarms: "/relay/alarms",
  acknowledgeAlarm: (id: Id) => `/relay/alarms/${e(id)}/ack`,
  snoozeAlarm: (id: Id) => `/relay/alarms/${e(id)}/snooze`,
  closeIn: (alarmId: Id) => `/relay/alarms/${e(alarmId)}/close-in`,
  settings: "/relay/settings",
  /** What is set of one channel, and of one controller or COT sensor. */
  channelSettings: (channelId: Id) => `/relay/channels/${e(channelId)}`,
  controllerSettings: (controllerId: Id) => `/relay/controllers/${e(controllerId)}`,
  waterings: "/relay/waterings",
  wateringPreview: "/relay/waterings/preview",
  weather: "/relay/weather",
  watch: "/relay/watch",
  fleetBeats: "/relay/fleet/beats",
  stopWatching: "/relay/stop-watching",
  startWatching: "/relay/start-watching",
  health: "/health",
  ready: "/ready",
  metrics: "/metrics",
  socketIo: "/socket.io/",
  webSocket: "/live",
} as const;
