import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { createSecrets } from '../../src/auth/secrets.ts';
import { dataFolder } from '../dev/folders.ts';
import { type GatewayClient, gatewayClient } from './gateway-client.ts';
import { inventJobs } from './invent-jobs.ts';
import { runLiveJobs } from './live-jobs.ts';
import { seededRandom } from './random.ts';
import { keyOfTeam, setUp } from './set-up.ts';
import { demoTeams } from './story.ts';
import { writeHistory } from './write-history.ts';

/**
 * `npm run demo` beside a running `npm start`: 60 days of work of three teams, so that the console has something to show and to compare. What exists
 * is left as it is; a second run adds only jobs of today. Not for an installation with customers.
 */
const days = 60;

async function demo(): Promise<void> {
  const { api, postgres } = readRunFile();
  const admin = gatewayClient(api.url, masterKey());
  await setUp(admin);
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  try {
    await addHistory(client, admin);
  } finally {
    await client.end();
  }
  console.log('Running jobs of today, through the public interface …');
  console.log(`${await runLiveJobs(api.url, admin)} jobs.\n\nConsole: ${api.url}/console`);
}

async function addHistory(client: Client, admin: GatewayClient): Promise<void> {
  const now = new Date();
  const { lookupHash } = createSecrets(masterKey());
  for (const [n, team] of demoTeams.entries()) {
    const { rowCount } = await client.query('select from jobs where team_id = $1 limit 1', [team.team_id]);
    if (rowCount) {
      console.log(`${team.team_id} has jobs already.`);
      continue;
    }
    const jobs = inventJobs(team, days, now, seededRandom(n + 1));
    await writeHistory(client, team, [lookupHash(await keyOfTeam(admin, team))], jobs, now);
    console.log(`${team.team_id}: ${jobs.length} jobs in ${days} days.`);
  }
}

function readRunFile(): { api: { url: string }; postgres: { url: string } } {
  try {
    return JSON.parse(readFileSync(join(dataFolder(), 'run.json'), 'utf8'));
  } catch {
    throw new Error(`No gateway runs in ${dataFolder()}: start one with "npm start" first.`);
  }
}

const masterKey = (): string => process.env.MASTER_KEY || readFileSync(join(dataFolder(), 'master-key'), 'utf8').trim();

demo().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
