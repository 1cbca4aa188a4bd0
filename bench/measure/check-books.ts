import { openDatabase } from '../../src/db/connection/database.ts';
import { statement } from '../../src/db/sql/statement.ts';
import { checkLedger } from '../../test/support/ledger.ts';

/** The gateway's ledger after the load, against the successes that the driver counted. */
export interface Books {
  /** Successes that the driver counted: completed jobs and create-and-calls. */
  successes: number;
  deductions: number;
  /** What the checker found; empty when the ledger is right. */
  offences: string[];
}

const sql = statement(
  'bench_deductions',
  `select count(*)::int as deductions from credit_transactions where transaction_type = 'deduction'`,
);

/** Has to run before the benchmark writes into the tables without the gateway. */
export async function checkBooks(databaseUrl: string, successes: number): Promise<Books> {
  const database = await openDatabase({ url: databaseUrl, poolSize: 8, stallTimeoutMs: 60_000 });
  try {
    const [row] = await database.query<{ deductions: number }>(sql);
    return { successes, deductions: row!.deductions, offences: await checkLedger(database) };
  } finally {
    await database.close();
  }
}
