import { MapLibreOverlay } from "@deck.gl/maplibre";
import type { Device } from "@luma.gl/core";
import { type RefObject, useEffect, useRef } from "react";
import { useControl, useMap } from "react-map-gl/maplibre";
import { useColorMode } from "../../theme/color-mode.ts";
import { readMarkColors } from "./mark-layers.ts";
import type { MapMarker, MapOutline } from "./marker.tsx";
import { MarkerRenderer } from "./marker-renderer.ts";

interface DeckOverlayProps {
  readonly markers: readonly MapMarker[];
  readonly outlines: readonly MapOutline[];
  readonly picked: string | null;
  /** Scale factor of everything drawn, relative to a desktop reader. */
  readonly scale: number;
  /** Holds the marker renderer while the map exists. */
  readonly renderer: RefObject<MarkerRenderer | null>;
}

/**
 * Free a removed map's graphics resources after everything that draws with them has ended. The overlay leaves
 * this to its creator. An unreleased device watches the screen's resolution forever and retains the whole
 * map.
 */
function release(device: Device): void {
  setTimeout(() => {
    device.getDefaultCanvasContext().destroy();
    device.loseDevice();
  });
}

/** Layer of markers over a map: React provides the data, the renderer draws it. */
export function DeckOverlay({ markers, outlines, picked, scale, renderer }: DeckOverlayProps) {
  const { current } = useMap();
  const { dark } = useColorMode();
  const held = useRef<Device | null>(null);
  const stands = useRef(true);
  const overlay = useControl(
    () =>
      // Overlaid, not interleaved: the interleaved mode disturbs MapLibre's own labels.
      new MapLibreOverlay({
        interleaved: false,
        layers: [],
        onDeviceInitialized(device) {
          held.current = device;
          renderer.current?.setDevice(device);
        },
        deviceProps: {
          // Called for every device as soon as it watches the screen, also for one created after the map was
          // removed. No other callback reports that one.
          onDevicePixelRatioChange({ device }) {
            if (stands.current) held.current = device;
            else release(device);
          },
        },
      }),
  );
  useEffect(() => {
    stands.current = true;
    return () => {
      stands.current = false;
      if (held.current) release(held.current);
      held.current = null;
    };
  }, []);
  useEffect(() => {
    const map = current?.getMap();
    if (!map) return;
    const created = new MarkerRenderer(map, overlay, readMarkColors(map.getContainer()), scale);
    renderer.current = created;
    return () => {
      renderer.current = null;
      created.dispose();
    };
  }, [current, overlay, scale, renderer]);
  useEffect(() => renderer.current?.setOutlines(outlines), [renderer, outlines]);
  useEffect(() => renderer.current?.setPicked(picked), [renderer, picked]);
  useEffect(() => renderer.current?.setMarkers(markers), [renderer, markers]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tokens on the page follow the colour mode
  useEffect(() => {
    const map = current?.getMap();
    if (map) renderer.current?.setColors(readMarkColors(map.getContainer()));
  }, [dark, current, renderer]);
  return null;
}
