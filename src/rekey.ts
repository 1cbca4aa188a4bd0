import { createSecrets, type Secrets } from './auth/secrets.ts';
import { readSettings } from './config/read-settings.ts';
import { RekeySettings } from './config.ts';
import { type Database, openDatabase } from './db/connection/database.ts';
import {
  listSealed,
  type ResealedValue,
  replaceSealed,
  type SealedColumnName,
  type SealedValue,
} from './db/sealed/sealed-columns.ts';
import { sealContexts } from './seal-contexts.ts';

/** A batch of so many locks its rows for some milliseconds. */
const batchSize = 200;

/** Undefined: neither key opens the value. */
function reseal(
  secrets: Secrets,
  { id, sealed, owner }: SealedValue,
  name: SealedColumnName,
): ResealedValue | undefined {
  const context = sealContexts[name](owner);
  try {
    const text = secrets.open(sealed, context);
    return { id, before: sealed, sealed: secrets.seal(text, context), hash: secrets.lookupHash(text) };
  } catch {
    return undefined;
  }
}

/** Each batch is a statement of its own, so that an interrupted run has lost nothing and the next one continues. */
async function resealColumn(database: Database, secrets: Secrets, name: SealedColumnName) {
  let resealed = 0;
  let unreadable = 0;
  let after: Buffer = Buffer.alloc(0);
  for (;;) {
    const values = await listSealed(database, name, { after, key_id: secrets.keyId, limit: batchSize });
    const opened = values.flatMap((value) => reseal(secrets, value, name) ?? []);
    unreadable += values.length - opened.length;
    resealed += await replaceSealed(database, name, opened);
    if (values.length < batchSize) return { resealed, unreadable };
    after = values.at(-1)!.id;
  }
}

/**
 * `npm run rekey`, with the environment of an api: seals with MASTER_KEY what was sealed with MASTER_KEY_PREVIOUS, and stores the
 * digests of virtual keys anew. Changes nothing else, and nothing when it is run again. `spec 15.8`
 */
async function rekey(): Promise<void> {
  const { DATABASE_URL: url, MASTER_KEY, MASTER_KEY_PREVIOUS } = readSettings(RekeySettings, process.env);
  const secrets = createSecrets(MASTER_KEY, MASTER_KEY_PREVIOUS);
  const database = await openDatabase({ url, poolSize: 2, stallTimeoutMs: 60_000 });
  let unreadable = 0;
  try {
    for (const name of Object.keys(sealContexts) as SealedColumnName[]) {
      const done = await resealColumn(database, secrets, name);
      console.log(JSON.stringify({ column: name, ...done }));
      unreadable += done.unreadable;
    }
  } finally {
    await database.close();
  }
  if (unreadable > 0)
    throw new Error(
      `${unreadable} values are sealed with another key: keep both keys, and find the MASTER_KEY that sealed these values`,
    );
  console.log(
    'MASTER_KEY opens every value. Keep MASTER_KEY_PREVIOUS for 24 hours: sign-ins and Idempotency-Keys of before need it until then. ' +
      'After a leak remove it at once.',
  );
}

try {
  await rekey();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
