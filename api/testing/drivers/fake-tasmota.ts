import type { Clock } from "@mulkko/shared/rules/clock";
import type { MqttClient } from "mqtt";

interface Relay {
  isOn: boolean;
  pulse: number;
  /** End of the pulse, ms since 1970 UTC; null: none is running. */
  endsAt: number | null;
}

export interface FakeTasmota {
  /** Commands with their payloads, in order of arrival. */
  readonly received: readonly string[];
  isOpen(relay: number): boolean;
  pulseOf(relay: number): number;
  powerOnState(): number;
  press(relay: number): Promise<void>;
  tick(): Promise<void>;
  reboot(): Promise<void>;
  leave(): Promise<void>;
}

/** Imitate a two-relay Tasmota, including the pulse that a query of the power state stops. */
export async function startFakeTasmota(options: {
  readonly connect: () => Promise<MqttClient>;
  readonly address: string;
  readonly clock: Clock;
}): Promise<FakeTasmota> {
  const { connect, address, clock } = options;
  const relays: Relay[] = [1, 2].map(() => ({ isOn: false, pulse: 0, endsAt: null }));
  const received: string[] = [];
  let powerOnState = 3;
  let client: MqttClient;
  /** Publish if connected. */
  async function say(topic: string, body: object | string): Promise<void> {
    if (!client.connected) return;
    const payload = typeof body === "string" ? body : JSON.stringify(body);
    await client.publishAsync(topic, payload, { qos: 1 }).catch(() => undefined);
  }
  const result = (body: object): Promise<void> => say(`stat/${address}/RESULT`, body);
  const secondsOf = (pulse: number): number => (pulse < 112 ? pulse / 10 : pulse - 100);
  const power = (isOn: boolean): string => (isOn ? "ON" : "OFF");

  async function turn(number: number, isOn: boolean): Promise<void> {
    const relay = relays[number - 1];
    if (!relay) return;
    relay.isOn = isOn;
    relay.endsAt = isOn && relay.pulse > 0 ? clock.now() + secondsOf(relay.pulse) * 1_000 : null;
    await result({ [`POWER${number}`]: power(isOn) });
    await say(`stat/${address}/POWER${number}`, power(isOn));
  }

  async function run(command: string, value: string): Promise<void> {
    const name = command.toUpperCase();
    const number = Number(/\d+$/.exec(name)?.[0] ?? "1");
    const relay = relays[number - 1];
    if (name.startsWith("BACKLOG")) {
      for (const part of value.split(";")) {
        const [one = "", ...rest] = part.trim().split(" ");
        await run(one, rest.join(" "));
      }
    } else if (name.startsWith("POWERONSTATE")) {
      if (value !== "") powerOnState = Number(value);
      await result({ PowerOnState: powerOnState });
    } else if (name.startsWith("POWER") && relay) {
      if (value === "") relay.endsAt = null;
      else await turn(number, value === "ON");
    } else if (name.startsWith("PULSETIME") && relay) {
      if (value !== "") relay.pulse = Number(value);
      await result({ [`PulseTime${number}`]: { Set: relay.pulse, Remaining: 0 } });
    } else if (name === "STATUS") {
      const powers = Object.fromEntries(relays.map(({ isOn }, index) => [`POWER${index + 1}`, power(isOn)]));
      await say(`stat/${address}/STATUS11`, { StatusSTS: { Uptime: "0T00:10:00", ...powers } });
    } else await result({ Command: "Unknown" });
  }

  async function join(): Promise<void> {
    client = await connect();
    client.on("message", (topic, payload) => {
      const command = topic.split("/").at(-1) ?? "";
      received.push(`${command} ${payload.toString()}`.trim());
      void run(command, payload.toString());
    });
    // The group and fallback topics, which a broker may refuse.
    await client.subscribeAsync([`cmnd/${address}/#`], { qos: 0 });
    await say("tasmota/discovery/00000049A3BC/config", { t: address });
    await say(`tele/${address}/LWT`, "Online");
  }
  await join();

  return {
    received,
    isOpen: (number) => relays[number - 1]?.isOn === true,
    pulseOf: (number) => relays[number - 1]?.pulse ?? 0,
    powerOnState: () => powerOnState,
    press: (number) => turn(number, !relays[number - 1]?.isOn),
    async tick() {
      for (const [index, { isOn, endsAt }] of relays.entries()) {
        if (isOn && endsAt !== null && clock.now() >= endsAt) await turn(index + 1, false);
      }
    },
    async reboot() {
      await client.endAsync(true);
      for (const relay of relays) Object.assign(relay, { isOn: powerOnState === 1, endsAt: null });
      await join();
    },
    leave: () => client.endAsync(true),
  };
}
