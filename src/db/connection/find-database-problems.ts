import pg from 'pg';
import { migrations } from '../../../migrations/index.ts';
import { type Findings, noFindings } from '../../domain/findings.ts';
import { cannotConnect, describeDatabase } from './failures.ts';

/** What the server shows of the database to the role of the URL. */
interface Shown {
  role: string;
  /** The table `migrations` exists in the search path. */
  is_migrated: boolean;
  /** The role may do with the tables what api and worker do. */
  may_use: boolean;
  takes_writes: boolean;
}

const shownSql = `
  select current_user as role,
         to_regclass('migrations') is not null as is_migrated,
         coalesce(has_table_privilege(to_regclass('migrations'), 'select')
                  and has_table_privilege(to_regclass('jobs'), 'select, insert, update, delete'), false) as may_use,
         current_setting('transaction_read_only') = 'off' as takes_writes`;

const known = migrations.map(({ name }) => name);

/** `executed`: the names of the migrations in the database. */
export function judgeDatabase(shown: Shown, executed: readonly string[]): Findings {
  const found = noFindings();
  const missing = known.filter((name) => !executed.includes(name));
  const unknown = executed.filter((name) => !known.includes(name));
  if (!shown.is_migrated)
    found.problems.push('the database is not migrated: run "npm run migrate" as the owner of the tables');
  else if (!shown.may_use)
    found.problems.push(
      `the role "${shown.role}" has no rights on the tables: run "npm run migrate" with DATABASE_SERVICE_URL set to the URL of this role`,
    );
  else if (missing.length > 0)
    found.problems.push(
      `the database lacks ${missing.length} migrations of this version, the first is ${missing[0]}: run "npm run migrate"`,
    );
  if (shown.may_use && unknown.length > 0)
    found.warnings.push(
      `the database has migrations of a newer version (${unknown.at(-1)}): this version is to be replaced`,
    );
  if (!shown.takes_writes)
    found.warnings.push('the server takes no writes: it is a standby, or read-only by a setting');
  return found;
}

const prepared = { name: 'job_gateway_start', text: 'select pg_backend_pid() as pid' };

/**
 * Behind a pooler in transaction mode two clients may get the same connection to the server, one after the other. The first one's
 * prepared statement is then looked for where it was not made, unless the pooler makes it there. Later requests would fail at random.
 */
async function losesStatements(first: pg.Client, second: pg.Client): Promise<boolean> {
  const { rows: before } = await first.query(prepared);
  await second.query('begin');
  const { rows } = await second.query('select pg_backend_pid() as pid');
  if (rows[0].pid !== before[0].pid) return false;
  // The second client holds that connection now.
  return first.query(prepared).then(
    () => false,
    (error: { code?: string }) => error.code === '26000',
  );
}

/** Throws `CannotStart` when the database does not respond: a process does not start without it. */
export async function findDatabaseProblems(url: string, timeoutMs: number): Promise<Findings> {
  const options = { connectionString: url, connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs };
  const [first, second] = [new pg.Client(options), new pg.Client(options)];
  for (const client of [first, second]) client.on('error', () => undefined);
  try {
    await Promise.all([first.connect(), second.connect()]).catch((error: unknown) => {
      throw cannotConnect(url, error);
    });
    const { rows } = await first.query(shownSql);
    const shown: Shown = rows[0];
    const executed = shown.may_use ? (await first.query('select name from migrations order by name')).rows : [];
    const found = judgeDatabase(
      shown,
      executed.map(({ name }) => name),
    );
    if (await losesStatements(first, second))
      found.problems.push(
        'a pooler in transaction mode is between, without prepared statements: use session mode, or PgBouncer 1.21 or newer with max_prepared_statements above 0',
      );
    const named = (texts: string[]) => texts.map((text) => `${describeDatabase(url)}: ${text}`);
    return { problems: named(found.problems), warnings: named(found.warnings) };
  } finally {
    await Promise.allSettled([first.end(), second.end()]);
  }
}
