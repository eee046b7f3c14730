/** The API's fields that name a device. */
export interface DeviceLabel {
  readonly name?: string | null | undefined;
  readonly serial: string | number;
}

/** Return a device's name, or its serial where it has none. */
export function deviceName({ name, serial }: DeviceLabel): string {
  return name?.trim() || `${serial}`;
}
