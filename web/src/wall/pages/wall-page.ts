/** Props of a page: the number of laps, so that it can show another part of an overlong list. */
export interface WallPageProps {
  readonly lap: number;
}
