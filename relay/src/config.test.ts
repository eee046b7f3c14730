import { ConfigError } from "@mulkko/shared/server/read-config";
import { expect, test } from "vitest";
import { commaList, mapOrigins, readConfig } from "./config.ts";

test("[ingest] an empty environment configures the embedded relay in front of the bundled API", () => {
  expect(readConfig({ PORT: " ", RELAY_KEY: "" })).toMatchObject({
    API_URL: "http://127.0.0.1:8081",
    PORT: 8080,
    RELAY_MQTT_URL: "mqtt://127.0.0.1:1883",
    API_TIMEZONE: "Asia/Seoul",
    UPSTREAM_RPS: 50,
  });
});

test.each([
  ["API_URL", "http://farm.example/api?key=1", 'API_URL cannot be "http://farm.example/api?key=1"'],
  ["PORT", "80800", 'PORT cannot be "80800"'],
  ["RELAY_MQTT_URL", "localhost", "RELAY_MQTT_URL cannot be a value that is not shown here"],
  ["REDIS_URL", "localhost:6379", "REDIS_URL cannot be a value that is not shown here"],
  ["REDIS_PREFIX", "a{b}", 'REDIS_PREFIX cannot be "a{b}"'],
  ["RELAY_KEY", "short", "RELAY_KEY cannot be a value that is not shown here"],
  ["API_TIMEZONE", "Mars/Olympus", 'API_TIMEZONE cannot be "Mars/Olympus"'],
  ["UPSTREAM_RPS", "none", 'UPSTREAM_RPS cannot be "none"'],
  ["TRUST_PROXY", "10.0.0.0/8,nowhere", 'TRUST_PROXY cannot be "10.0.0.0/8,nowhere"'],
  ["ALLOWED_ORIGINS", "farm", 'ALLOWED_ORIGINS cannot be "farm"'],
  ["IMAGE_PREFIXES", "images", 'IMAGE_PREFIXES cannot be "images"'],
  ["MAP_STYLE_URL", "//maps.example/style.json", 'MAP_STYLE_URL cannot be "//maps.example/style.json"'],
  ["MAP_STYLE_URL", "javascript:alert(1)", 'MAP_STYLE_URL cannot be "javascript:alert(1)"'],
  ["MAP_STYLE_URL", "https://a:b:c/style.json", 'MAP_STYLE_URL cannot be "https://a:b:c/style.json"'],
  ["MAP_ORIGINS", "tiles.example", 'MAP_ORIGINS cannot be "tiles.example"'],
  ["MAP_ORIGINS", "https://a.example;script-src *", 'MAP_ORIGINS cannot be "https://a.example;script-src *"'],
  ["POLL_LIST_MS", "5", 'POLL_LIST_MS cannot be "5"'],
  ["LOG_LEVEL", "loud", 'LOG_LEVEL cannot be "loud"'],
])("[ingest] reports an invalid %s by name", (name, value, sentence) => {
  const read = () => readConfig({ [name]: value });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(sentence);
});

test("[ingest] a comma list may contain blanks and be empty", () => {
  expect(commaList(" 10.0.0.0/8 , ,127.0.0.1")).toEqual(["10.0.0.0/8", "127.0.0.1"]);
  expect(commaList("")).toEqual([]);
});

test("[maps] lists the origins of the style and the further ones, each once, without their paths", () => {
  expect(mapOrigins(undefined, "")).toEqual([]);
  expect(mapOrigins("/maps/style.json", "")).toEqual([]);
  expect(
    mapOrigins(
      "https://maps.example/v1/style.json?key=1",
      "https://tiles.example:8443/, https://maps.example",
    ),
  ).toEqual(["https://maps.example", "https://tiles.example:8443"]);
  expect(() => mapOrigins("https://a.example;x/style.json", "")).toThrow(TypeError);
});
