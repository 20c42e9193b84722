/** Accounts of one server that are looked at. */
export const MOST_ACCOUNTS = 2_000;

/** Players in offline mode have UUIDs of version 3, made from their names, and those of Bedrock have the version 0 of Floodgate. */
const VERSION_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns whether a UUID is of an account of Minecraft: Java Edition. */
export function isAccount(uuid: string): boolean {
  return VERSION_4.test(uuid);
}
