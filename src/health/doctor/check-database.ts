import { createSecrets, type Secrets } from '../../auth/secrets.ts';
import type { Database } from '../../db/connection/database.ts';
import { findDatabaseProblems } from '../../db/connection/find-database-problems.ts';
import { readRoleRights, readServerVersion } from '../../db/connection/read-server.ts';
import { listSealed, type SealedColumnName, sealedColumns } from '../../db/sealed/sealed-columns.ts';
import { noFindings } from '../../domain/findings.ts';
import { sealContexts } from '../../seal-contexts.ts';
import { type Check, checkedAs } from './checked.ts';

const timeoutMs = 3_000;
/** Of each column. One value that no key opens is enough. */
const sealedAtMost = 200;

/** Whether it is reached, its version, encoding, migrations and pooler, and whether it takes writes. */
export const checkDatabase: Check = async ({ config, openDatabase }) => {
  const found = await findDatabaseProblems(config.DATABASE_URL, timeoutMs);
  if (found.problems.length > 0) return checkedAs('', found);
  const database = await openDatabase();
  if (await database.isFull()) found.problems.push('the disk of the server has no space: every call fails');
  return checkedAs(`PostgreSQL ${await readServerVersion(database)}, migrated`, found);
};

/** The role of api and worker owns nothing: an injected statement could not switch the triggers of the ledger off. `spec 15.12` */
export const checkRole: Check = async ({ openDatabase }) => {
  const { role, is_owner, is_superuser, may_create, may_change_ledger } = await readRoleRights(await openDatabase());
  const rights = [
    is_superuser && 'is a superuser',
    !is_superuser && is_owner && 'owns the tables',
    !is_owner && may_create && 'may create tables',
    !is_owner && may_change_ledger && 'may change the ledger',
  ].filter((right) => right !== false);
  if (rights.length === 0) return checkedAs(`"${role}" owns nothing and cannot change the ledger`);
  const help =
    'DATABASE_URL=<of the owner> DATABASE_SERVICE_URL=<of another role> npm run migrate, then DATABASE_URL of api and worker is the second';
  return checkedAs('', { problems: [`"${role}" ${rights.join(', ')}: ${help}`] });
};

function opens(secrets: Secrets, sealed: Buffer, context: string): boolean {
  try {
    secrets.open(sealed, context);
    return true;
  } catch {
    return false;
  }
}

/** How many values of the column, of those that were not sealed with the current key, do and do not open. */
async function tryColumn(database: Database, secrets: Secrets, name: SealedColumnName) {
  const next = { after: Buffer.alloc(0), key_id: secrets.keyId, limit: sealedAtMost };
  const values = await listSealed(database, name, next);
  const opened = values.filter(({ sealed, owner }) => opens(secrets, sealed, sealContexts[name](owner))).length;
  return { opened, unreadable: values.length - opened };
}

/** Whether MASTER_KEY opens what is sealed: with another one every virtual key is 401. */
export const checkMasterKey: Check = async ({ config, openDatabase }) => {
  const database = await openDatabase();
  const secrets = createSecrets(config.MASTER_KEY, config.MASTER_KEY_PREVIOUS);
  const found = noFindings();
  for (const name of Object.keys(sealedColumns) as SealedColumnName[]) {
    const { opened, unreadable } = await tryColumn(database, secrets, name);
    if (unreadable > 0)
      found.problems.push(
        `opens not all of ${name}: set the MASTER_KEY that has sealed them, or as MASTER_KEY_PREVIOUS, then npm run rekey`,
      );
    if (opened > 0) found.warnings.push(`values of ${name} are sealed with the previous key: npm run rekey`);
  }
  return checkedAs('opens every sealed value', found);
};
