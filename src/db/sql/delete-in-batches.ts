const atATime = 5_000;

/**
 * Repeats a deletion of at most so many rows until it has deleted fewer: each statement is short, and locks few rows. Returns how
 * many rows it has deleted.
 */
export async function deleteInBatches(
  deletePart: (atMost: number) => Promise<number>,
  between?: () => void,
): Promise<number> {
  for (let deleted = 0; ; between?.()) {
    const part = await deletePart(atATime);
    deleted += part;
    if (part < atATime) return deleted;
  }
}

/** Deletes the first `$1` rows, by their ids. */
export const firstOf = (table: string, id: string, which: string): string =>
  `delete from ${table} where ${id} in (select ${id} from ${table} where ${which} limit $1) returning ${id}`;
