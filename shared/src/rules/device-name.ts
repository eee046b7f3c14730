/** Fields of the API that name a device. */
export interface DeviceLabel {
  readonly name?: string | null | undefined;
  /** Null if the farm API sends no readable serial. */
  readonly serial: string | number | null;
  readonly id?: string | number | undefined;
}

/** Return a device's name, or its serial where it has none, or its id where it has no serial either. */
export function deviceName({ name, serial, id }: DeviceLabel): string {
  return name?.trim() || `${serial ?? id ?? "--"}`;
}
