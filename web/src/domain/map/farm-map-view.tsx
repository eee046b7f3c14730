import type { Map as MapInstance } from "maplibre-gl";
import {
  type ReactNode,
  useCallback,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { useTranslation } from "react-i18next";
import { type MapLayerMouseEvent, type MapRef, Popup, useMap } from "react-map-gl/maplibre";
import { BaseMap, LIMITS, useMapGround } from "./base-map.tsx";
import { DeckOverlay } from "./deck-overlay.tsx";
import { boundsOf } from "./geometry.ts";
import { MapNote } from "./map-frame.tsx";
import type { MapMarker, MapOutline } from "./marker.tsx";
import type { MarkerRenderer } from "./marker-renderer.ts";
import { type Place, SEOUL, ZOOM } from "./place.ts";
import { calloutPlaces } from "./shown-marks.ts";

/** A callout at a place of the map, in the page's own elements. */
interface MapCallout extends Place {
  readonly id: string;
  readonly content: ReactNode;
}

/** Settings of a wall map without interaction: it shows all its markers at any size. */
export interface FarView {
  /** Scale factor of everything on it, relative to a desktop reader. */
  readonly scale: number;
  /** Callouts, most important first. Callouts that would cover each other are grouped, as many as fit. */
  readonly callouts: readonly MapCallout[];
  /** Maximum number of callouts in a group. */
  readonly together: number;
  /** Return the text for further callouts at a place. */
  readonly more: (count: number) => string;
}

export interface FarmMapProps {
  /** Content of the map, for screen readers. */
  readonly label: string;
  readonly markers: readonly MapMarker[];
  readonly outlines: readonly MapOutline[];
  /** Selected marker. */
  readonly picked: string | null;
  /** Called when a marker is pressed; null for the ground beside them. */
  readonly onPick: (id: string | null) => void;
  /** Place to zoom to; null keeps the view. A new object is a new request, even for the same place. */
  readonly focus: Place | null;
  /** Height covered at the lower edge, CSS px. */
  readonly covered?: number;
  /** Popup over a place of the map, in the page's own elements. */
  readonly popup?: (Place & { readonly content: ReactNode }) | null;
  /** Style of the installation's own map; null or undefined selects the embedded one. */
  readonly styleUrl?: string | null;
  readonly far?: FarView;
  /** Shows all markers again when it changes. */
  readonly fit?: string;
}

/** A popup that the page opens and closes. */
const FIXED = { closeButton: false, closeOnClick: false, focusAfterOpen: false } as const;

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
  const followZoom = useCallback(
    (listener: () => void) => {
      const following = map?.on("moveend", listener);
      return () => following?.unsubscribe();
    },
    [map],
  );
  const zoom = useSyncExternalStore(followZoom, () => map?.getZoom() ?? 0);
  if (!map) return null;
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
        {...FIXED}
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
const FIT_PADDING_SHARE = 0.24;
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
  const { far, fit } = props;
  const scale = far?.scale ?? 1;
  const { t } = useTranslation("common");
  const { style, note, fellBack, fail } = useMapGround(styleUrl, scale);
  const [ready, setReady] = useState(false);
  const map = useRef<MapRef>(null);
  const renderer = useRef<MarkerRenderer | null>(null);
  const begun = useRef(false);
  const fitted = useRef(fit);
  const fitAgain = useEffectEvent((shown: MapInstance) => showAll(shown, markers, covered, panMs()));
  useEffect(() => {
    const shown = map.current?.getMap();
    if (!shown || fitted.current === fit) return;
    fitted.current = fit;
    fitAgain(shown);
  }, [fit]);
  const begin = useEffectEvent((shown: MapInstance) => showAll(shown, markers, covered, 0, scale));
  const coveredNow = useEffectEvent(() => covered);
  useEffect(() => {
    const shown = map.current?.getMap();
    if (!shown || !ready) return;
    if (!focus) {
      // Once: the height covered by the list was unknown when the map started.
      if (!begun.current) begin(shown);
      begun.current = true;
      return;
    }
    shown.easeTo({
      center: [focus.longitude, focus.latitude],
      zoom: Math.max(ZOOM.focus, shown.getZoom()),
      offset: [0, -coveredNow() / 2],
      duration: begun.current ? panMs() : 0,
    });
    begun.current = true;
  }, [focus, ready]);
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

  if (style === null) return note;

  const press = ({ point, originalEvent, target }: MapLayerMouseEvent) => {
    const finger = originalEvent instanceof PointerEvent && originalEvent.pointerType !== "mouse";
    const pressed = renderer.current?.pressedAt(point, finger ? "finger" : "mouse") ?? [];
    // The markers of a cluster lie close to each other: together they always fit nearer.
    if (pressed.length > 1) showAll(target, pressed, covered, panMs(), scale, LIMITS.max);
    else onPick(pressed[0]?.id ?? null);
  };
  const bounds = boundsOf(markers);
  return (
    <section className="farm-map" data-testid="farm-map" aria-label={label}>
      {!ready && note}
      {fellBack && <MapNote quiet>{t("map.styleFailed")}</MapNote>}
      <BaseMap
        map={map}
        scale={scale}
        mapStyle={style}
        onFail={fail}
        interactive={!isFar}
        initialViewState={
          focus
            ? { latitude: focus.latitude, longitude: focus.longitude, zoom: ZOOM.focus }
            : bounds
              ? {
                  bounds,
                  fitBoundsOptions: { padding: FIT_PADDING_PX * Math.max(1, scale / 2), maxZoom: FIT_ZOOM },
                }
              : { ...SEOUL, zoom: ZOOM.overview }
        }
        onLoad={({ target }) => {
          target.keyboard.disableRotation();
          setReady(true);
        }}
        // The ground loads before the last label: markers are usable from then on.
        onSourceData={({ isSourceLoaded }) => {
          if (isSourceLoaded && !ready) setReady(true);
        }}
        onClick={press}
        onMouseMove={({ point, target }) => {
          target.getCanvas().style.cursor = renderer.current?.pressedAt(point, "mouse").length
            ? "pointer"
            : "";
        }}
      >
        <DeckOverlay
          markers={markers}
          outlines={outlines}
          picked={picked}
          scale={scale}
          renderer={renderer}
        />
        {far && <MapCallouts far={far} />}
        {popup && (
          <Popup
            latitude={popup.latitude}
            longitude={popup.longitude}
            offset={26}
            {...FIXED}
            maxWidth="20rem"
          >
            {popup.content}
          </Popup>
        )}
      </BaseMap>
    </section>
  );
}
