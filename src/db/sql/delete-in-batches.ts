const batchSize = 5_000;

/**
 * Repeats a deletion of at most `atMost` rows until it deletes fewer: each statement is short, and locks few rows. Returns the number
 * of deleted rows.
 */
export async function deleteInBatches(
  deleteBatch: (atMost: number) => Promise<number>,
  afterBatch?: () => void,
  size = batchSize,
): Promise<number> {
  for (let deleted = 0; ; afterBatch?.()) {
    const batch = await deleteBatch(size);
    deleted += batch;
    if (batch < size) return deleted;
  }
}

/** Deletes the first `:at_most` rows that fulfil the condition, which may have an order, by their ids. */
export const deleteFirst = (table: string, id: string, condition: string): string =>
  `delete from ${table} where ${id} in (select ${id} from ${table} where ${condition} limit :at_most) returning ${id}`;
