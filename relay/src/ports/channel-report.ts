/** What a channel reported, by whatever way it came. Times are ms UTC. */
export interface ChannelReport {
  readonly onoff: 0 | 1 | 2;
  /** When the device says it was so; null where it does not say. */
  readonly at: number | null;
  /** When the device's message arrived; null where a plain API was polled and does not say. */
  readonly heardAt: number | null;
  readonly commandId: string | null;
  readonly runUntil: number | null;
  readonly via: "mqtt" | "poll";
  /** When the poll that brought it began; arrival for MQTT. */
  readonly askedAt: number;
  /** Mode whose flag is set, for the cause of an opening (CMD-6). */
  readonly activeMode: "none" | "automatic" | "period" | "reservation";
}
