import fc from "fast-check";

/** Slashes as some server or library reads them. */
const SLASHES = ["//", "/./", "\\", "/x/../", "%2f", "%2F", "/%2e/", "%5c", "/.//", "/;a/"];
/** Ends that some server cuts off. */
const ENDS = ["/", "//", "/.", "%2f", ";a=b", ".json", ".", "%20", "%00", "%09", "#x", "/..;/", "%3Fx=1"];

type Change = (path: string) => string;

const hex = (letter: string): string => letter.charCodeAt(0).toString(16).padStart(2, "0");
const wide = (letter: string): string =>
  /[!-~]/.test(letter) ? String.fromCharCode(letter.charCodeAt(0) + 0xfee0) : letter;

function atLetter(index: number, put: Change): Change {
  return (path) => {
    const position = 1 + (index % (path.length - 1));
    return path.slice(0, position) + put(path[position] ?? "") + path.slice(position + 1);
  };
}

function atSlash(index: number, put: string): Change {
  return (path) => {
    const slashes = [...path.matchAll(/\//g)].map(({ index: position }) => position);
    const position = slashes[index % slashes.length] ?? 0;
    return path.slice(0, position) + put + path.slice(position + 1);
  };
}

const index = fc.nat({ max: 200 });

/**
 * One to three changes of a path's spelling, each of which some server, proxy or library takes for the same
 * path (PATH-1).
 */
export const pathSpelling: fc.Arbitrary<Change> = fc
  .array(
    fc.oneof(
      fc.tuple(index, fc.constantFrom(...SLASHES)).map(([at, put]) => atSlash(at, put)),
      index.map((at) => atLetter(at, (letter) => `%${hex(letter)}`)),
      index.map((at) => atLetter(at, (letter) => `%25${hex(letter)}`)),
      index.map((at) => atLetter(at, (letter) => encodeURIComponent(wide(letter)))),
      index.map((at) => atLetter(at, (letter) => letter.toUpperCase())),
      fc.constantFrom(...ENDS).map(
        (end): Change =>
          (path) =>
            path + end,
      ),
      fc.constantFrom<Change>(
        (path) => `http://farm${path}`,
        (path) => `/x/..${path}`,
        (path) => `/${path}`,
        (path) => `${path}?x=1`,
      ),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((changes) => (path) => changes.reduce((text, change) => change(text), path));
