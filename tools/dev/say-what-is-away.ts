import type { Health } from '../../src/liveness/health.ts';
import type { Say } from './say.ts';

/** A gateway is ready without Redis: a wrong `REDIS_URL` would show only in streams that come late and in limits that are not shared. */
export async function sayWhatIsAway(url: string, say: Say): Promise<void> {
  const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(5_000) });
  const { dependencies } = (await answer.json()) as { dependencies: Health };
  const away = Object.entries(dependencies).filter(([, state]) => state === 'down');
  for (const [name] of away) say(`  Away: ${name}. The gateway looks for it again and again; ${url}/health tells.`);
}
