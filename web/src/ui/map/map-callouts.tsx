import type { Map as MapInstance } from "maplibre-gl";
import { useEffect, useState } from "react";
import { Popup, useMap } from "react-map-gl/maplibre";
import { calloutPlaces } from "./callout-places.ts";
import type { FarView } from "./farm-map-props.ts";
import type { Place } from "./place.ts";
import "./map-callouts.css";

/** From a place to the edge of what is said about it: beside the mark that stands there, px of a desk's map. */
const BESIDE_PX = 32;

/** On which side of its place a callout has the most room. */
function sideAt(map: MapInstance, { latitude, longitude }: Place): "left" | "right" {
  const { x } = map.project([longitude, latitude]);
  return x > map.getContainer().clientWidth / 2 ? "right" : "left";
}

/** What is said at places of a map that is read from afar, each beside its place. */
export function MapCallouts({ far: { scale, callouts, together, more } }: { far: FarView }) {
  const { current } = useMap();
  const map = current?.getMap();
  const [zoom, setZoom] = useState<number | null>(null);
  useEffect(() => {
    if (!map) return;
    const look = () => setZoom(map.getZoom());
    look();
    map.on("moveend", look);
    return () => {
      map.off("moveend", look);
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
