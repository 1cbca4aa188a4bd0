import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

/** Runs LiteLLM's own migrations, in their order, in an empty database: Prisma's program for that cannot be downloaded everywhere. */
export async function migrateLitellm(url: string, migrations: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const file of globSync(join(migrations, '*/migration.sql')).sort())
      await client.query(readFileSync(file, 'utf8'));
  } finally {
    await client.end();
  }
}
