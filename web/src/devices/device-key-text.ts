const GROUP = 4;

/** A key in groups of four, as it is read aloud and compared. */
export function keyGroups(key: string): readonly string[] {
  return key.match(new RegExp(`.{1,${GROUP}}`, "g")) ?? [];
}

/** A first message of a device, for a shell that has the tools of Mosquitto. */
export function tryLine(host: string, serial: string, key: string): string {
  return `mosquitto_pub -h ${host} -u ${serial} -P ${key} -t mulkko/${serial}/up -m '{"battery": 90}'`;
}
