import type { Pool } from 'pg';
import { cachedFor } from '../../concurrency/cached-for.ts';

const checkedEveryMs = 5_000;

/**
 * A sort with so little memory writes 200 kB to a temporary file, on the disk of the tables unless
 * `temp_tablespaces` names another: the server needs space for it, and nothing remains. An update would find room in a page that exists. Both statements are one transaction, in which the setting holds.
 */
const needsSpace = `set local work_mem = '64kB';
  select count(*) from (select n from generate_series(1, 5000) n order by md5(n::text)) sorted`;

/** Codes of PostgreSQL: no space left, and a file that cannot be written. */
const noSpace = ['53100', '58030'];

/**
 * Whether the server has no space on its disk, checked at most every 5 s: a read succeeds then, and an update too, while every call fails
 * (decision 100).
 */
export const watchSpace = (pool: Pool): (() => Promise<boolean>) =>
  cachedFor(checkedEveryMs, () =>
    pool.query(needsSpace).then(
      () => false,
      (error: { code?: string }) => noSpace.includes(error.code ?? ''),
    ),
  );
