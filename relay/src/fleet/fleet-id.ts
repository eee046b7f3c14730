/**
 * Under which the store keeps the `fleet` stream: an account's streams without an account, with a shard and an owner
 * as all have (NODE-5). No farm API has an account of this id; one that claimed to is not let in.
 */
export const FLEET = "~fleet";
