/**
 * Id of the `fleet` stream in the store. It has a shard and an owner like an account's streams (NODE-5), but
 * no account. No farm API has an account with this id; a session that claims it is rejected.
 */
export const FLEET = "~fleet";
