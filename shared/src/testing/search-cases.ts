/** A text and what is typed to search for it, for every search of the client and of the farm API (FIND-1). */
interface SearchCase {
  readonly text: string;
  readonly typed: string;
  readonly isFound: boolean;
}

const found = (text: string, ...typed: readonly string[]): SearchCase[] =>
  typed.map((each) => ({ text, typed: each, isFound: true }));
const missed = (text: string, ...typed: readonly string[]): SearchCase[] =>
  typed.map((each) => ({ text, typed: each, isFound: false }));

/** Names: letters in any form. */
export const NAME_SEARCHES: readonly SearchCase[] = [
  ...found("고추밭 남쪽".normalize("NFD"), "고추밭", "밭 남", "고추밭".normalize("NFD")),
  ...found("고추밭 남쪽", "고추밭", "고추밭".normalize("NFD"), "  남쪽 "),
  ...found("Café".normalize("NFD"), "café", "CAF"),
  ...found("Bed ２", "bed 2", "2"),
  ...found("ﾊｳｽ 1", "ハウス"),
  ...found("大棚Ａ", "大棚a"),
  ...found("100% _ \\ sure", "%", "_", "\\", "100%"),
  ...found("anything", "", "  "),
  ...missed("고추밭 남쪽".normalize("NFD"), "배추밭"),
  ...missed("Bed 2", "3", "%", "_ed"),
];

/** Telephone numbers: digits however they are grouped, besides all of the names. */
export const TELEPHONE_SEARCHES: readonly SearchCase[] = [
  ...NAME_SEARCHES,
  ...found("010-1234-5678", "01012345678", "010 1234", "1234-5678", "12345678", "(010) 12345678", "010.1234"),
  ...found("01012345678", "010-1234-5678", "1234-5678", "０１０-１２３４"),
  ...found("+82 10 1234 5678", "+82-10-1234", "82101234"),
  ...missed("010-1234-5678", "010-9", "010-1234-5678 9", "house 010"),
];
