const atATime = 5_000;

/** Repeats a deletion of at most so many rows until it has deleted fewer: each statement is short, and locks few rows. */
export async function deleteInBatches(
  deletePart: (atMost: number) => Promise<number>,
  between?: () => void,
): Promise<void> {
  while ((await deletePart(atATime)) === atATime) between?.();
}

/** Deletes the first `:at_most` rows, by their ids. */
export const firstOf = (table: string, id: string, which: string): string =>
  `delete from ${table} where ${id} in (select ${id} from ${table} where ${which} limit :at_most) returning ${id}`;
