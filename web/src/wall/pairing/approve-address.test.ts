import { describe, expect, it } from "vitest";
import { approveAddress } from "./PairingScreen.tsx";

const PATH = "/displays?code=BCDFGHJK";

describe("address on an unpaired screen", () => {
  it("[wall] is the installation's public address with its path, whatever address the screen opened", () => {
    const approveUrl = `https://farm.example.com/m${PATH}`;
    for (const origin of ["http://localhost:8080", "http://192.168.0.9:8080"]) {
      expect(approveAddress({ approvePath: PATH, approveUrl }, origin)).toEqual({
        href: approveUrl,
        typed: "farm.example.com/m/displays",
        loopback: false,
      });
    }
  });

  it("[wall] is the screen's own if the public one is loopback or missing", () => {
    const approveUrl = `http://localhost:8080${PATH}`;
    for (const given of [approveUrl, null, "not an address"]) {
      expect(
        approveAddress({ approvePath: PATH, approveUrl: given }, "http://192.168.0.9:8080"),
      ).toMatchObject({ href: `http://192.168.0.9:8080${PATH}`, loopback: false });
    }
  });

  it.each(["http://localhost:8080", "http://127.0.0.1:8080", "http://[::1]:8080", "http://farm.localhost"])(
    "[wall] warns that no phone can open %s",
    (origin) => {
      expect(approveAddress({ approvePath: PATH, approveUrl: null }, origin).loopback).toBe(true);
    },
  );
});
