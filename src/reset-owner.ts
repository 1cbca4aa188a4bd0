import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { isCommonPassword } from './auth/common-passwords.ts';
import { createPasswords } from './auth/passwords.ts';
import { readSettings } from './config/read-settings.ts';
import { OwnerSettings } from './config.ts';
import { NewCredentials } from './contracts/admin-users.ts';
import { openDatabase } from './db/connection/database.ts';
import { resetOwner } from './services/admin-users/reset-owner.ts';

/**
 * `npm run reset-owner -- --email <e-mail> [--password-stdin]`: recovers an installation whose owner has lost access. The operator
 * runs it with the environment of an api. Without a password, one is generated and printed once.
 */
async function run(): Promise<Record<string, unknown>> {
  const { values } = parseArgs({ options: { email: { type: 'string' }, 'password-stdin': { type: 'boolean' } } });
  const generated = values['password-stdin'] ? undefined : randomBytes(18).toString('base64url');
  const given = generated ?? (await text(process.stdin)).replace(/\r?\n$/, '');
  const parsed = NewCredentials.safeParse({ email: values.email, password: given });
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new Error(`usage: npm run reset-owner -- --email <e-mail> [--password-stdin]\n  ${problems.join('\n  ')}`);
  }
  const { email, password } = parsed.data;
  if (isCommonPassword(password)) throw new Error('the password is one of the most common ones');
  const { DATABASE_URL: url, BCRYPT_COST } = readSettings(OwnerSettings, process.env);
  const hash = await createPasswords(BCRYPT_COST).hash(password);
  const database = await openDatabase({ url, poolSize: 2, stallTimeoutMs: 10_000 });
  try {
    return { email, ...(await resetOwner(database, email, hash)), ...(generated ? { password: generated } : {}) };
  } finally {
    await database.close();
  }
}

try {
  console.log(JSON.stringify(await run()));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
