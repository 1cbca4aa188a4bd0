/**
 * The keys of all teams as a table: the first one of each team and those before it, whose `key_id` is null, and the further ones.
 * PostgreSQL looks a hash up in the indexes of both.
 */
export const everyKey = `(
    select key_hash, team_id, key_sealed, expires_at, null::uuid as key_id from virtual_keys
     union all
    select key_hash, team_id, key_sealed, expires_at, key_id from team_keys)`;

/** The key of this session, as one of `everyKey`. */
export const keyOfSession = (session: string): string => `(
    select key_hash, team_id, expires_at, null::uuid as key_id from virtual_keys where key_hash = ${session}.key_hash
     union all
    select key_hash, team_id, expires_at, key_id from team_keys where key_id = ${session}.key_id)`;

/**
 * The key has one of `:key_hashes`: those under the current and the previous MASTER_KEY, of which the second may be absent. With two values
 * in place of an array of any length PostgreSQL expects two rows and keeps its plan: a look-up takes 40 µs instead of 190.
 */
export const isPresented = (key: string): string =>
  `${key}.key_hash in ((:key_hashes::bytea[])[1], (:key_hashes::bytea[])[2])`;

/** The key has not ended. */
export const isValid = (key: string): string => `(${key}.expires_at is null or ${key}.expires_at > now())`;
