import "./map-callouts.css";
import type { Map as MapInstance } from "maplibre-gl";
import { useEffect, useImperativeHandle, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  AttributionControl,
  Map as MapGl,
  type MapLayerMouseEvent,
  type MapRef,
  NavigationControl,
  Popup,
  ScaleControl,
  useMap,
} from "react-map-gl/maplibre";
import { boundsOf } from "./bounds.ts";
import { calloutPlaces } from "./callout-places.ts";
import { DeckOverlay } from "./deck-overlay.tsx";
import type { FarmMapProps, FarView } from "./farm-map-props.ts";
import { MapNote } from "./map-note.tsx";
import { useMapWords } from "./map-words.ts";
import { mapLibrary } from "./maplibre.ts";
import type { MapMarker } from "./marker.ts";
import type { MarkStage } from "./marker-renderer.ts";
import { type Place, SEOUL, ZOOM } from "./place.ts";
import { useMapStyle } from "./use-map-style.ts";

/** Distance from a place to its callout, beside the marker, px of a desktop map. */
const BESIDE_PX = 32;

/** Return the side of a place with more space for a callout. */
function sideAt(map: MapInstance, { latitude, longitude }: Place): "left" | "right" {
  const { x } = map.project([longitude, latitude]);
  return x > map.getContainer().clientWidth / 2 ? "right" : "left";
}

/** Show the callouts of a wall map, each beside its place. */
function MapCallouts({ far: { scale, callouts, together, more } }: { far: FarView }) {
  const { current } = useMap();
  const map = current?.getMap();
  const [zoom, setZoom] = useState<number | null>(null);
  useEffect(() => {
    if (!map) return;
    const update = () => setZoom(map.getZoom());
    update();
    map.on("moveend", update);
    return () => {
      map.off("moveend", update);
    };
  }, [map]);
  if (!map || zoom === null) return null;
  return calloutPlaces(callouts, zoom - Math.log2(scale)).map((all) => {
    const [first] = all;
    return (
      <Popup
        key={first.id}
        className="map-callouts"
        latitude={first.latitude}
        longitude={first.longitude}
        anchor={sideAt(map, first)}
        offset={BESIDE_PX * scale}
        closeButton={false}
        closeOnClick={false}
        focusAfterOpen={false}
        maxWidth="none"
      >
        {all.slice(0, together).map(({ id, content }) => (
          <div key={id}>{content}</div>
        ))}
        {all.length > together && <p className="map-callouts__more">{more(all.length - together)}</p>}
      </Popup>
    );
  });
}

/** Maximum zoom of fitting: a few fields with some ground around them. */
const FIT_ZOOM = 15;
/** Maximum zoom on a wall without zoom controls: the farm's outline fills the map. */
const FAR_FIT_ZOOM = 18;
/** Padding around what is fitted, CSS px: no mark lies below the buttons. */
const FIT_PADDING_PX = 72;
/** Maximum length of the scale bar, CSS px. */
const SCALE_BAR_PX = 100;
const FIT_PADDING_SHARE = 0.24;
const LIMITS = { min: 2, max: 19 } as const;
/** 60 frames (spec 2). */
const PAN_MS = 1_000;

const panMs = (): number => (matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : PAN_MS);

/** Padding at the edges, CSS px; smaller on a small map. */
const paddingOf = (map: MapInstance, scale: number): number => {
  const { clientWidth, clientHeight } = map.getContainer();
  return Math.min(FIT_PADDING_PX * scale, Math.min(clientWidth, clientHeight) * FIT_PADDING_SHARE);
};

function showAll(
  map: MapInstance,
  markers: readonly MapMarker[],
  covered: number,
  duration: number,
  scale = 1,
  maxZoom: number = FIT_ZOOM,
): void {
  const bounds = boundsOf(markers);
  if (bounds === null) return;
  const edge = paddingOf(map, scale);
  const padding = { top: edge, left: edge, right: edge, bottom: edge + covered };
  map.fitBounds(bounds, { padding, maxZoom, duration });
}

/** Render the map. Lists and legends, which do not move with it, are outside in the page. */
export default function FarmMapView(props: FarmMapProps) {
  const { label, markers, outlines, picked, onPick, focus, covered = 0, popup, styleUrl = null } = props;
  const { far, ref } = props;
  const scale = far?.scale ?? 1;
  const { t } = useTranslation("common");
  const { style, fellBack } = useMapStyle(styleUrl, scale);
  const locale = useMapWords();
  const [ready, setReady] = useState(false);
  const [failed, setFailed] = useState(false);
  const map = useRef<MapRef>(null);
  const stage = useRef<MarkStage | null>(null);
  const begun = useRef(false);
  const latest = useRef({ markers, covered });
  useEffect(() => {
    latest.current = { markers, covered };
  });
  useImperativeHandle(ref, () => ({
    fit() {
      const shown = map.current?.getMap();
      if (shown) showAll(shown, latest.current.markers, latest.current.covered, panMs());
    },
  }));
  useEffect(() => {
    const shown = map.current?.getMap();
    if (!shown || !ready) return;
    if (!focus) {
      // Once: the height covered by the list was unknown when the map started.
      if (!begun.current) showAll(shown, latest.current.markers, latest.current.covered, 0, scale);
      begun.current = true;
      return;
    }
    shown.easeTo({
      center: [focus.longitude, focus.latitude],
      zoom: Math.max(ZOOM.focus, shown.getZoom()),
      offset: [0, -latest.current.covered / 2],
      duration: begun.current ? panMs() : 0,
    });
    begun.current = true;
  }, [focus, ready, scale]);
  const isFar = far !== undefined;
  useEffect(() => {
    const shown = map.current?.getMap();
    if (!shown || !ready || !isFar) return;
    const refit = () => showAll(shown, markers, 0, 0, scale, FAR_FIT_ZOOM);
    refit();
    shown.on("resize", refit);
    return () => {
      shown.off("resize", refit);
    };
  }, [isFar, ready, scale, markers]);

  if (failed) return <MapNote>{t("map.failed")}</MapNote>;
  if (style === null) return <MapNote>{t("map.loading")}</MapNote>;

  const press = ({ point, originalEvent, target }: MapLayerMouseEvent) => {
    const finger = originalEvent instanceof PointerEvent && originalEvent.pointerType !== "mouse";
    const pressed = stage.current?.pressedAt(point, finger ? "finger" : "mouse") ?? null;
    if (pressed?.kind === "cluster") {
      // Its markers lie close to each other: together they always fit nearer.
      showAll(target, pressed.markers, latest.current.covered, panMs(), scale, LIMITS.max);
      return;
    }
    onPick(pressed?.id ?? null);
  };
  const bounds = boundsOf(markers);
  return (
    <section className="farm-map" data-testid="farm-map" aria-label={label}>
      {!ready && <MapNote>{t("map.loading")}</MapNote>}
      {fellBack && <MapNote quiet>{t("map.styleFailed")}</MapNote>}
      <MapGl
        ref={map}
        mapLib={mapLibrary}
        mapStyle={style}
        locale={locale}
        initialViewState={
          focus
            ? { latitude: focus.latitude, longitude: focus.longitude, zoom: ZOOM.focus }
            : bounds
              ? { bounds, fitBoundsOptions: { padding: FIT_PADDING_PX, maxZoom: FIT_ZOOM } }
              : { ...SEOUL, zoom: ZOOM.overview }
        }
        minZoom={LIMITS.min}
        maxZoom={LIMITS.max}
        dragRotate={false}
        touchPitch={false}
        pitchWithRotate={false}
        attributionControl={false}
        interactive={!isFar}
        onLoad={({ target }) => {
          target.touchZoomRotate.disableRotation();
          target.keyboard.disableRotation();
          setReady(true);
        }}
        // The ground loads before the last label: markers are usable from then on.
        onSourceData={({ isSourceLoaded }) => {
          if (isSourceLoaded && !ready) setReady(true);
        }}
        onError={({ error }) => {
          // Without a map, show the failure. An error of a part of it (a tile) keeps the rest.
          if (map.current === null) setFailed(true);
          reportError(error);
        }}
        onClick={press}
        onMouseMove={({ point, target }) => {
          target.getCanvas().style.cursor = stage.current?.pressedAt(point, "mouse") ? "pointer" : "";
        }}
      >
        {!isFar && <NavigationControl position="top-right" showCompass={false} />}
        <ScaleControl position="bottom-left" maxWidth={SCALE_BAR_PX * scale} />
        <AttributionControl position="bottom-left" compact />
        <DeckOverlay
          markers={markers}
          outlines={outlines}
          picked={picked}
          scale={scale}
          onStage={(next) => {
            stage.current = next;
          }}
        />
        {far && <MapCallouts far={far} />}
        {popup && (
          <Popup
            latitude={popup.latitude}
            longitude={popup.longitude}
            offset={26}
            closeButton={false}
            closeOnClick={false}
            focusAfterOpen={false}
            maxWidth="20rem"
          >
            {popup.content}
          </Popup>
        )}
      </MapGl>
    </section>
  );
}
