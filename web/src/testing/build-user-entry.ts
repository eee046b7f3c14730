/** Build an account as listed by a farm API, named after its number. */
export const buildUserEntry = (number: number, rest: object = {}) => ({
  id: `id-${number}`,
  username: `farmer-${number}`,
  nickname: `농부 ${number}`,
  userType: "USER",
  userAddress: "a@b.kr",
  farmAddress: "논산",
  phone: "010",
  language: "KO",
  timezone: "Asia/Seoul",
  imagePath: null,
  emailNotification: false,
  disabled: false,
  deviceCount: number,
  ...rest,
});
