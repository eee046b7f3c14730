/** Units as printed after a number. */
export type Unit =
  | "°C"
  | "%"
  | "dS/m"
  | "mg/kg"
  | "mg/L"
  | "ppm"
  | "hPa"
  | "W/m²"
  | "kPa"
  | "°"
  | "m/s"
  | "mm"
  | "lx"
  | "L"
  | "L/min"
  | "g"
  | "m"
  | "cm"
  | "V"
  | "";

/** Description of one field of a device's readings. */
export interface FieldSpec {
  /** The field's name in log entries, messages and database columns. */
  readonly name: string;
  /** Unit on screens (after `scale`). */
  readonly unit: Unit;
  /** Digits after the point in charts, tables and tiles. */
  readonly decimals: number;
  /** Digits after the point on widget cards, where they differ. */
  readonly widgetDecimals?: number;
  /** Factor from wire to screen; 1 where absent. Only vapour pressure deficit has one: Pa → kPa. */
  readonly scale?: number;
  /** Translation key of the label, in the namespace `common`. */
  readonly labelKey: string;
  /** Physical range in wire units, both ends allowed; a value outside it is a fault of the device. */
  readonly range: readonly [min: number, max: number];
  /** A direction in degrees: averaged on the circle, without a min–max band. */
  readonly circular?: true;
  /** Whole numbers only. */
  readonly integer?: true;
}

/** One chart card of the log view. */
export interface ChartCard {
  /** `device`: titled with the device's name and holding several fields; `measurement`: one card per field. */
  readonly title: "device" | "measurement";
  readonly fields: readonly string[];
}

/** A device type: the only place that defines its fields and where they are shown. */
export interface DeviceType {
  readonly type: string;
  /** Translation key of the type's name, in the namespace `common`. */
  readonly labelKey: string;
  /** All fields of its log entries. */
  readonly fields: readonly FieldSpec[];
  /** Latest-value badges in their order, after serial, firmware and signal. */
  readonly badges: readonly string[];
  /** Columns of the data list, before firmware, Live, Time and Actions. */
  readonly columns: readonly string[];
  readonly cards: readonly ChartCard[];
  /** Fields that widget cards hide. */
  readonly hidden: readonly string[];
  /** True for an outdoor device: its air readings are the weather. Absent where it may be in a greenhouse. */
  readonly outdoors?: true;
  /** Chart height, CSS px. */
  readonly chartHeight: 350 | 400;
  /** The field shown where there is room for one number. */
  readonly primary: string;
}

/** Keys of a log entry that are not measurements and never shown on widget cards. */
export const HIDDEN_KEYS: readonly string[] = [
  "sensorId",
  "fwversion",
  "rssi",
  "createdDate",
  "modifiedDate",
  "svp",
  "arrival",
  "clockWrongSince",
];
