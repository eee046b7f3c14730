/** A channel's report from any source. Times are ms UTC. */
export interface ChannelReport {
  readonly onoff: 0 | 1 | 2;
  /** Time that the device states; null if it states none. */
  readonly at: number | null;
  /** Arrival of the device's message; null if a polled plain API does not report it. */
  readonly heardAt: number | null;
  readonly commandId: string | null;
  readonly runUntil: number | null;
  readonly via: "mqtt" | "poll";
  /** Start of the poll that brought it; the arrival for MQTT. */
  readonly askedAt: number;
  /** Mode with its flag set, for the cause of an opening (CMD-6). */
  readonly activeMode: "none" | "automatic" | "period" | "reservation";
}
