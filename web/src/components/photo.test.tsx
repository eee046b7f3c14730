import { fireEvent, render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { Photo, photoAddress } from "./photo.tsx";

it("[photo] resolves a path without leading slash from the root and keeps full addresses", () => {
  expect(photoAddress("images/sensor/at1.png")).toBe("/images/sensor/at1.png");
  expect(photoAddress("./images/a.png")).toBe("/images/a.png");
  expect(photoAddress("/api/v1/image/3")).toBe("/api/v1/image/3");
  expect(photoAddress("https://cdn.example/a.png")).toBe("https://cdn.example/a.png");
  expect(photoAddress("blob:http://farm/1")).toBe("blob:http://farm/1");
});

it("[photo] lets the relay fetch an image of any other path of the farm API", () => {
  expect(photoAddress("/upload/2024/a.png")).toBe("/relay/photo/upload/2024/a.png");
  expect(photoAddress("upload/2024/a.png")).toBe("/relay/photo/upload/2024/a.png");
  expect(photoAddress("사진/1동.jpg")).toBe("/relay/photo/사진/1동.jpg");
});

it("[photo] shows the icon without an image and after a failed load", () => {
  const { rerender, container } = render(<Photo path={null} icon={<b>icon</b>} />);
  expect(screen.getByText("icon")).toBeTruthy();
  rerender(<Photo path="images/a.png" icon={<b>icon</b>} />);
  const picture = container.querySelector("img");
  if (!picture) throw new Error("no picture");
  fireEvent.error(picture);
  expect(screen.getByText("icon")).toBeTruthy();
  rerender(<Photo path="images/b.png" icon={<b>icon</b>} />);
  expect(container.querySelector("img")?.getAttribute("src")).toBe("/images/b.png");
});
