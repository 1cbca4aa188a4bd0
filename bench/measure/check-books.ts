import { openDatabase, statement } from '../../src/db/connection/database.ts';
import { checkLedger } from '../../test/support/ledger.ts';

/** What the gateway did under load, against what the driver was told. */
export interface Books {
  /** Successes that the driver saw: completed jobs and create-and-calls. */
  successes: number;
  deductions: number;
  /** What the checker found; nothing, when the books are right. */
  offences: string[];
}

const sql = statement(
  'bench_deductions',
  `select count(*)::int as deductions from credit_transactions where transaction_type = 'deduction'`,
);

/** Before anything is written into the tables but through the gateway. */
export async function checkBooks(databaseUrl: string, successes: number): Promise<Books> {
  const database = await openDatabase({ url: databaseUrl, poolSize: 8, silenceMs: 60_000 });
  try {
    const [row] = await database.query<{ deductions: number }>(sql, []);
    return { successes, deductions: row!.deductions, offences: await checkLedger(database) };
  } finally {
    await database.close();
  }
}
