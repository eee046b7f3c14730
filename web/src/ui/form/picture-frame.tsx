import { CameraIcon } from "../icon/icons.tsx";
import "./picture-frame.css";

/** A picture as a form shows it; a camera stands there while there is none. */
export function PictureFrame({ address, shape }: { address: string | null; shape: "picture" | "portrait" }) {
  return (
    <div className="picture-frame" data-shape={shape}>
      {address === null ? <CameraIcon size={28} /> : <img src={address} alt="" />}
    </div>
  );
}
