import { CameraIcon } from "lucide-react";
import { Photo } from "../photo/photo.tsx";
import "./image-frame.css";

/** Show an image in a form, or a camera icon while there is none. */
export function ImageFrame({ address, shape }: { address: string | null; shape: "picture" | "portrait" }) {
  return (
    <div className="picture-frame" data-shape={shape}>
      <Photo path={address} icon={<CameraIcon size={28} />} />
    </div>
  );
}
