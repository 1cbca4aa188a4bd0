const atATime = 5_000;

/** Carries out what deletes at most so many rows until it has found less: each statement is short, and locks little. */
export async function inParts(deletePart: (atMost: number) => Promise<number>, between?: () => void): Promise<void> {
  while ((await deletePart(atATime)) === atATime) between?.();
}

/** Deletes the first `$1` rows, by their ids. */
export const firstOf = (table: string, id: string, which: string): string =>
  `delete from ${table} where ${id} in (select ${id} from ${table} where ${which} limit $1) returning ${id}`;
