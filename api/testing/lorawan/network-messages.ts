/** The relevant values of an uplink; the rest is as network servers send it. */
export interface MessageParts {
  readonly devEui: string;
  /** ISO 8601 */
  readonly time?: string;
  readonly decoded?: object | undefined;
  readonly rssi?: readonly number[];
  readonly fPort?: number | null;
  readonly data?: string;
}

/** Build a message of `application/{id}/device/{devEui}/event/up` of ChirpStack v4. */
export function chirpstackUp(parts: MessageParts): Record<string, unknown> {
  const {
    devEui,
    time = "2026-11-21T02:59:58.775023242+00:00",
    decoded,
    rssi = [-97],
    data = "qg==",
  } = parts;
  return {
    deduplicationId: "6d3b5f2e-7c1e-4f0a-9b57-0d6b3c0f5a11",
    time,
    deviceInfo: {
      tenantId: "0b7f1c1a-51a3-4d5e-8f4c-2d6f3c1c9d01",
      tenantName: "Farm",
      applicationId: "9a1d0f0c-8d66-4a6c-a1a3-5c1f6d2b7e02",
      applicationName: "Sensors",
      deviceProfileName: "Soil",
      deviceName: "Soil 1",
      devEui,
      tags: {},
    },
    devAddr: "00189440",
    adr: true,
    dr: 5,
    fCnt: 41,
    ...(parts.fPort === null ? {} : { fPort: parts.fPort ?? 2 }),
    confirmed: false,
    data,
    ...(decoded ? { object: decoded } : {}),
    rxInfo: rssi.map((level, index) => ({
      gatewayId: `0016c001f153a1${(index + 10).toString(16)}`,
      uplinkId: 4_217_106_255 + index,
      nsTime: "2026-11-21T02:59:59.101+00:00",
      rssi: level,
      snr: 7.5,
      crcStatus: "CRC_OK",
    })),
    txInfo: { frequency: 922_100_000, modulation: { lora: { bandwidth: 125_000, spreadingFactor: 7 } } },
    regionConfigId: "kr920",
  };
}

/** Build a message of `v3/{application}/devices/{id}/up` of The Things Stack v3. */
export function thingsStackUp(parts: MessageParts & { readonly battery?: number }): Record<string, unknown> {
  const { devEui, time = "2026-11-21T02:59:58.789585559Z", decoded, rssi = [-88], battery } = parts;
  return {
    end_device_ids: {
      device_id: `eui-${devEui.toLowerCase()}`,
      application_ids: { application_id: "farm" },
      dev_eui: devEui.toUpperCase(),
      dev_addr: "00BCB929",
    },
    correlation_ids: ["as:up:01E0WZGT6Y7657CPFPE5WEYDSQ", "ns:uplink:01E0WZGSZXZXZS8RFAWZX0F2FY"],
    received_at: "2026-11-21T02:59:59.014773143Z",
    uplink_message: {
      f_port: parts.fPort ?? 2,
      f_cnt: 41,
      frm_payload: parts.data ?? "qg==",
      ...(decoded ? { decoded_payload: decoded } : {}),
      rx_metadata: rssi.map((level, index) => ({
        gateway_ids: { gateway_id: `gateway-${index}` },
        time: "1980-01-06T00:00:00Z",
        rssi: level,
        channel_rssi: level,
        snr: 5,
      })),
      settings: { data_rate: { lora: { bandwidth: 125_000, spreading_factor: 7 } }, frequency: "922100000" },
      ...(battery === undefined ? {} : { last_battery_percentage: { f_cnt: 40, value: battery } }),
      received_at: time,
    },
  };
}
