import type { Language } from "../../i18n/language.ts";

/** Rank of a name: provinces appear before cities, cities before towns. */
export type PlaceRank = "country" | "province" | "city" | "town";

/** A name on the embedded map. */
export interface NamedPlace {
  readonly rank: PlaceRank;
  readonly latitude: number;
  readonly longitude: number;
  readonly names: Readonly<Record<Language, string>>;
}

type Row = readonly [latitude: number, longitude: number, ko: string, en: string, zh: string];

/** The seventeen provinces and metropolitan cities, with their common short names. */
const PROVINCES: readonly Row[] = [
  [37.5665, 126.978, "서울", "Seoul", "首尔"],
  [35.1796, 129.0756, "부산", "Busan", "釜山"],
  [35.8714, 128.6014, "대구", "Daegu", "大邱"],
  [37.4563, 126.7052, "인천", "Incheon", "仁川"],
  [35.1595, 126.8526, "광주", "Gwangju", "光州"],
  [36.3504, 127.3845, "대전", "Daejeon", "大田"],
  [35.5384, 129.3114, "울산", "Ulsan", "蔚山"],
  [36.48, 127.289, "세종", "Sejong", "世宗"],
  [37.35, 127.36, "경기", "Gyeonggi", "京畿"],
  [37.78, 128.4, "강원", "Gangwon", "江原"],
  [36.82, 127.75, "충북", "Chungbuk", "忠北"],
  [36.52, 126.8, "충남", "Chungnam", "忠南"],
  [35.72, 127.15, "전북", "Jeonbuk", "全北"],
  [34.87, 126.95, "전남", "Jeonnam", "全南"],
  [36.4, 128.75, "경북", "Gyeongbuk", "庆北"],
  [35.4, 128.2, "경남", "Gyeongnam", "庆南"],
  [33.38, 126.55, "제주", "Jeju", "济州"],
];

const CITIES: readonly Row[] = [
  [37.2636, 127.0286, "수원", "Suwon", "水原"],
  [37.8813, 127.7298, "춘천", "Chuncheon", "春川"],
  [37.3422, 127.9202, "원주", "Wonju", "原州"],
  [37.7519, 128.8761, "강릉", "Gangneung", "江陵"],
  [36.6424, 127.489, "청주", "Cheongju", "清州"],
  [36.991, 127.9259, "충주", "Chungju", "忠州"],
  [36.8151, 127.1139, "천안", "Cheonan", "天安"],
  [35.8242, 127.148, "전주", "Jeonju", "全州"],
  [35.9677, 126.7366, "군산", "Gunsan", "群山"],
  [34.8118, 126.3922, "목포", "Mokpo", "木浦"],
  [34.9506, 127.4872, "순천", "Suncheon", "顺天"],
  [34.7604, 127.6622, "여수", "Yeosu", "丽水"],
  [36.019, 129.3435, "포항", "Pohang", "浦项"],
  [36.5684, 128.7294, "안동", "Andong", "安东"],
  [35.8562, 129.2247, "경주", "Gyeongju", "庆州"],
  [36.1195, 128.3446, "구미", "Gumi", "龟尾"],
  [35.228, 128.6811, "창원", "Changwon", "昌原"],
  [35.18, 128.1076, "진주", "Jinju", "晋州"],
  [33.4996, 126.5312, "제주시", "Jeju City", "济州市"],
  [33.2541, 126.5601, "서귀포", "Seogwipo", "西归浦"],
];

const TOWNS: readonly Row[] = [
  [37.2411, 127.1776, "용인", "Yongin", "龙仁"],
  [37.2723, 127.435, "이천", "Icheon", "利川"],
  [37.008, 127.2797, "안성", "Anseong", "安城"],
  [36.9921, 127.1127, "평택", "Pyeongtaek", "平泽"],
  [37.1995, 126.8312, "화성", "Hwaseong", "华城"],
  [37.2982, 127.6371, "여주", "Yeoju", "骊州"],
  [37.4912, 127.4875, "양평", "Yangpyeong", "杨平"],
  [37.7599, 126.78, "파주", "Paju", "坡州"],
  [37.6153, 126.7156, "김포", "Gimpo", "金浦"],
  [37.8949, 127.2003, "포천", "Pocheon", "抱川"],
  [38.0966, 127.0748, "연천", "Yeoncheon", "涟川"],
  [37.7474, 126.4877, "강화", "Ganghwa", "江华"],
  [38.1466, 127.3132, "철원", "Cheorwon", "铁原"],
  [38.1063, 127.7081, "화천", "Hwacheon", "华川"],
  [38.1099, 127.9899, "양구", "Yanggu", "杨口"],
  [38.0697, 128.1703, "인제", "Inje", "麟蹄"],
  [37.6972, 127.8887, "홍천", "Hongcheon", "洪川"],
  [37.4917, 127.985, "횡성", "Hoengseong", "横城"],
  [37.3707, 128.3903, "평창", "Pyeongchang", "平昌"],
  [37.3806, 128.6608, "정선", "Jeongseon", "旌善"],
  [37.1837, 128.4617, "영월", "Yeongwol", "宁越"],
  [37.1641, 128.9856, "태백", "Taebaek", "太白"],
  [37.4499, 129.1652, "삼척", "Samcheok", "三陟"],
  [38.207, 128.5918, "속초", "Sokcho", "束草"],
  [37.1326, 128.191, "제천", "Jecheon", "堤川"],
  [36.9404, 127.6905, "음성", "Eumseong", "阴城"],
  [36.8154, 127.7866, "괴산", "Goesan", "槐山"],
  [36.4894, 127.7295, "보은", "Boeun", "报恩"],
  [36.3064, 127.5714, "옥천", "Okcheon", "沃川"],
  [36.175, 127.7834, "영동", "Yeongdong", "永同"],
  [36.7898, 127.0018, "아산", "Asan", "牙山"],
  [36.7845, 126.4503, "서산", "Seosan", "瑞山"],
  [36.8898, 126.6459, "당진", "Dangjin", "唐津"],
  [36.7456, 126.298, "태안", "Taean", "泰安"],
  [36.6013, 126.6608, "홍성", "Hongseong", "洪城"],
  [36.3335, 126.6127, "보령", "Boryeong", "保宁"],
  [36.4465, 127.119, "공주", "Gongju", "公州"],
  [36.2757, 126.9099, "부여", "Buyeo", "扶余"],
  [36.1872, 127.0987, "논산", "Nonsan", "论山"],
  [36.1088, 127.4881, "금산", "Geumsan", "锦山"],
  [36.0803, 126.6919, "서천", "Seocheon", "舒川"],
  [35.9483, 126.9576, "익산", "Iksan", "益山"],
  [35.8036, 126.8809, "김제", "Gimje", "金堤"],
  [35.5699, 126.856, "정읍", "Jeongeup", "井邑"],
  [35.7316, 126.7333, "부안", "Buan", "扶安"],
  [35.4358, 126.702, "고창", "Gochang", "高敞"],
  [35.4164, 127.3904, "남원", "Namwon", "南原"],
  [36.0068, 127.6608, "무주", "Muju", "茂朱"],
  [35.7917, 127.4249, "진안", "Jinan", "镇安"],
  [35.2772, 126.512, "영광", "Yeonggwang", "灵光"],
  [35.0161, 126.7108, "나주", "Naju", "罗州"],
  [34.8, 126.6968, "영암", "Yeongam", "灵岩"],
  [34.5733, 126.5993, "해남", "Haenam", "海南"],
  [34.3111, 126.7551, "완도", "Wando", "莞岛"],
  [34.4868, 126.2634, "진도", "Jindo", "珍岛"],
  [34.642, 126.767, "강진", "Gangjin", "康津"],
  [34.7715, 127.08, "보성", "Boseong", "宝城"],
  [34.6112, 127.285, "고흥", "Goheung", "高兴"],
  [35.3212, 126.9882, "담양", "Damyang", "潭阳"],
  [35.282, 127.292, "곡성", "Gokseong", "谷城"],
  [34.9407, 127.6959, "광양", "Gwangyang", "光阳"],
  [36.4109, 128.159, "상주", "Sangju", "尚州"],
  [36.5866, 128.1868, "문경", "Mungyeong", "闻庆"],
  [36.6577, 128.4528, "예천", "Yecheon", "醴泉"],
  [36.8057, 128.6241, "영주", "Yeongju", "荣州"],
  [36.8932, 128.7324, "봉화", "Bonghwa", "奉化"],
  [36.9931, 129.4004, "울진", "Uljin", "蔚珍"],
  [36.4153, 129.3653, "영덕", "Yeongdeok", "盈德"],
  [36.4361, 129.0571, "청송", "Cheongsong", "青松"],
  [36.3527, 128.697, "의성", "Uiseong", "义城"],
  [36.1398, 128.1136, "김천", "Gimcheon", "金泉"],
  [35.9192, 128.283, "성주", "Seongju", "星州"],
  [35.9733, 128.9386, "영천", "Yeongcheon", "永川"],
  [35.6473, 128.7341, "청도", "Cheongdo", "清道"],
  [37.4845, 130.9057, "울릉도", "Ulleungdo", "郁陵岛"],
  [35.6867, 127.9095, "거창", "Geochang", "居昌"],
  [35.5666, 128.1658, "합천", "Hapcheon", "陕川"],
  [35.5447, 128.4924, "창녕", "Changnyeong", "昌宁"],
  [35.5038, 128.7467, "밀양", "Miryang", "密阳"],
  [35.2285, 128.8894, "김해", "Gimhae", "金海"],
  [35.335, 129.0372, "양산", "Yangsan", "梁山"],
  [35.0671, 127.7514, "하동", "Hadong", "河东"],
  [35.4156, 127.8736, "산청", "Sancheong", "山清"],
  [34.8375, 127.8925, "남해", "Namhae", "南海"],
  [34.973, 128.3222, "고성", "Goseong", "固城"],
  [34.8544, 128.4332, "통영", "Tongyeong", "统营"],
  [34.8806, 128.6211, "거제", "Geoje", "巨济"],
  [33.4635, 126.3119, "애월", "Aewol", "涯月"],
  [33.4376, 126.9178, "성산", "Seongsan", "城山"],
];

const COUNTRIES: readonly (readonly [latitude: number, longitude: number, code: string])[] = [
  [40.3, 127.2, "KP"],
  [43.8, 125.5, "CN"],
  [44.6, 134.6, "RU"],
  [35.2, 134.2, "JP"],
];

const placeOf =
  (rank: PlaceRank) =>
  ([latitude, longitude, ko, en, zh]: Row): NamedPlace => ({
    rank,
    latitude,
    longitude,
    names: { ko, en, zh },
  });

/** Return the browser's name of a country; its code if the browser has none. */
function countryName(code: string, language: Language): string {
  return new Intl.DisplayNames([language], { type: "region", style: "short" }).of(code) ?? code;
}

/** All names of the embedded map, in order of rank. */
export const NAMED_PLACES: readonly NamedPlace[] = [
  ...COUNTRIES.map(
    ([latitude, longitude, code]): NamedPlace => ({
      rank: "country",
      latitude,
      longitude,
      names: {
        ko: countryName(code, "ko"),
        en: countryName(code, "en"),
        zh: countryName(code, "zh"),
      },
    }),
  ),
  ...PROVINCES.map(placeOf("province")),
  ...CITIES.map(placeOf("city")),
  ...TOWNS.map(placeOf("town")),
];
