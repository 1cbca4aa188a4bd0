import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expectOk, givenIn } from '../support/given.ts';
import { seededRandom } from '../support/random.ts';
import { minutes, sized } from '../support/sizes.ts';
import { figures } from './support/figures.ts';
import { installationForTests } from './support/installation.ts';
import { RetryingClient } from './support/retrying-client.ts';
import { repeat, somePrompt } from './support/workload.ts';

const keys = sized({ short: 20, full: 500 });
const kills = sized({ short: 2, full: 20 });
const senders = 3;

const installation = installationForTests();
const given = givenIn(installation);

test(
  'requests that are repeated with their Idempotency-Key while the api is killed have one effect and one answer for each key (spec 10.8)',
  async () => {
    const { checker, pool, simulator, apis } = installation.current;
    const random = seededRandom(jest.getSeed(), 'api killed');
    const team = await given.team({ credits: keys, low_balance_policy: 'reserve', models: ['sim-echo-slow-100'] });
    const client = new RetryingClient(installation.current, team);
    const requests = Array.from({ length: keys }, () => ({ key: randomUUID(), prompt: somePrompt() }));
    let sent = 0;
    checker.watch();

    const killing = (async () => {
      for (let kill = 1; kill <= kills; kill += 1) {
        while (sent < (kill * keys) / (kills + 1)) await pause(10);
        await apis[0]!.ready();
        await pause(random.between(0, 200));
        apis[0]!.kill();
      }
    })();
    const answers = await repeat(keys, 5, async (turn) => {
      const { key, prompt } = requests[turn]!;
      sent += 1;
      const body = {
        team_id: team.teamId,
        job_type: 'report',
        model: team.modelGroup,
        messages: [{ role: 'user', content: prompt }],
      };
      const answered = await Promise.all(
        Array.from({ length: senders }, () => client.sendUntilAnswered('/api/jobs/create-and-call', body, key)),
      );
      return { prompt, answered: answered.map(expectOk) };
    });
    await killing;

    expect(await checker.conclude()).toEqual([]);
    for (const { prompt, answered } of answers) {
      expect(answered[0].response.content).toBe(prompt);
      expect(new Set(answered.map((answer) => JSON.stringify(answer))).size).toBe(1);
    }
    const { rowCount: jobs } = await pool.query('select from jobs');
    const { credits_used } = await given.admin('get', `/api/credits/balance?team_id=${team.teamId}`);
    const requested = simulator.counts().paths['/chat/completions'];
    expect({ jobs, credits_used, requested }).toEqual({ jobs: keys, credits_used: keys, requested: keys });
    figures('api killed', {
      'keys, senders of each, kills': `${keys}, ${senders}, ${kills}`,
      'jobs, upstream calls, credits': `${jobs}, ${requested}, ${credits_used}`,
      'answers (0: none)': JSON.stringify(client.statuses),
    });
  },
  minutes(2, 20),
);
