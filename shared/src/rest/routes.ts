type Id = string | number;

/**
 * Header of a deletion that is passed on although a valve is not reported closed (CMD-15): the user was
 * asked.
 */
export const DESPITE_OPEN_VALVE = "x-despite-open-valve";

const e = encodeURIComponent;

/** Return the pattern of a path with one parameter, as a router expects it. */
export const routePattern = (path: (id: string) => string, parameter: string): string =>
  path(`:${parameter}`).replace("%3A", ":");

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
  /** Closes one valve of any account (CMD-21). */
  fleetClose: "/relay/fleet/close",
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
