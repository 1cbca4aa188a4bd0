import { gatewayForTests } from '../../support/gateway.ts';
import { givenIn, unique } from '../../support/given.ts';
import { checkLedger } from '../../support/ledger.ts';
import { until } from '../../support/until.ts';
import { chatWith } from '../openai/chat.ts';
import { answers, callsTool, claudeCode, jobOf, jobsOf } from './agents.ts';

const gateway = gatewayForTests({ settings: { TURN_SETTLE_SECONDS: '2' } });
const given = givenIn(gateway);

test('two hundred turns at once have one completion and one charge each (spec 27.3)', async () => {
  const turns = 200;
  const limits = { rpm_limit: 10_000, tpm_limit: 10_000_000, max_concurrent_calls: 400 };
  const team = await given.team({ credits: turns, ...limits });
  const [chat, jobs] = [chatWith(gateway, team), jobsOf(gateway, team)];

  const made = await Promise.all(
    Array.from({ length: turns }, async () => {
      const headers = claudeCode(unique('session'));
      const [first, title] = await Promise.all([chat(callsTool, headers), chat(answers, headers)]);
      return [jobOf(first), jobOf(title), jobOf(await chat(answers, headers))];
    }),
  );
  const { pool } = gateway.current.deps.database;
  const sql = `select job_id, status, ended_by, total_calls from jobs where team_id = $1`;
  const ended = await until(
    async () => (await pool.query(sql, [team.teamId])).rows,
    (rows) => rows.every(({ status }) => status === 'completed'),
    60_000,
  );

  expect(made.every((ofTurn) => new Set(ofTurn).size === 1)).toBe(true);
  expect(ended).toHaveLength(turns);
  expect(ended.every(({ ended_by, total_calls }) => ended_by === 'call' && total_calls === 3)).toBe(true);
  expect(await jobs.creditsUsed()).toBe(turns);
  expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
}, 120_000);
