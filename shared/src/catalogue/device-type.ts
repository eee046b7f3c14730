/** Units as they are printed after a number. */
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
  | "";

/** Everything the product knows about one field of a device's readings. */
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
  /** Physical range in wire units, both ends allowed; what lies outside is a fault of the device. */
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

/** A device type, whole: the only place that knows its fields and where they are shown. */
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
  /** It stands out of doors: what it says of the air is the weather. Absent where it may stand in a greenhouse. */
  readonly outdoors?: true;
  /** Chart height, CSS px. */
  readonly chartHeight: 350 | 400;
  /** The field that stands for the device where there is room for one number. */
  readonly primary: string;
}

/** Keys of a log entry that are no measurement and never shown on widget cards. */
export const HIDDEN_KEYS: readonly string[] = [
  "sensorId",
  "fwversion",
  "rssi",
  "createdDate",
  "modifiedDate",
  "svp",
];

/** Firmware version shown when a device reports none. */
export const DEFAULT_FIRMWARE = "1.0";
