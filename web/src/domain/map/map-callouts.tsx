import type { Map as MapInstance } from "maplibre-gl";
import { useEffect, useState } from "react";
import { Popup, useMap } from "react-map-gl/maplibre";
import { calloutPlaces } from "./callout-places.ts";
import type { FarView } from "./farm-map-props.ts";
import type { Place } from "./place.ts";
import "./map-callouts.css";

/** Distance from a place to its callout, beside the marker, px of a desktop map. */
const BESIDE_PX = 32;

/** Return the side of a place with more space for a callout. */
function sideAt(map: MapInstance, { latitude, longitude }: Place): "left" | "right" {
  const { x } = map.project([longitude, latitude]);
  return x > map.getContainer().clientWidth / 2 ? "right" : "left";
}

/** Show the callouts of a wall map, each beside its place. */
export function MapCallouts({ far: { scale, callouts, together, more } }: { far: FarView }) {
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
