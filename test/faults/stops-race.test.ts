import { setTimeout as pause } from 'node:timers/promises';
import { as, expectOk, givenIn } from '../support/given.ts';
import { contentOf, stopping } from '../support/given-stop.ts';
import type { Answer } from '../support/send-request.ts';
import { minutes, sized } from '../support/sizes.ts';
import { until } from '../support/until.ts';
import { figures } from './support/figures.ts';
import { installationForTests } from './support/installation.ts';
import { repeat } from './support/workload.ts';

const rounds = sized({ short: 100, full: 500 });
const atOnce = 10;
/** A stream of half a second, so that also a machine that is slow to begin a stop has some time left before its end. */
const model = 'sim-tokens-120-every-4';
const credits = 100_000;

const installation = installationForTests({ workers: 2 });
const given = givenIn(installation);

/** A machine that runs many tests may answer 503: then the request is repeated. */
const unlessBusy = (send: () => Promise<Answer>): Promise<Answer> => until(send, ({ status }) => status !== 503);

test(
  'of streams that are stopped around their natural end each has one end, one charge, and the recorded text for its client and a reader (spec 26.10)',
  async () => {
    const { checker } = installation.current;
    const { stop, read, started } = stopping(installation, () => installation.current.pool);
    const limits = { rpm_limit: 100_000, tpm_limit: 100_000_000, max_concurrent_calls: 500 };
    const team = await given.team({ credits, models: [model], ...limits });
    checker.watch();
    /** Steered so that about half of the later stops come before the end, on any machine. */
    let waitMs = 200;

    const ends = await repeat(rounds, atOnce, async (round) => {
      const { job, call, end } = await started(team, 'singleStream', () => true);
      const reader = unlessBusy(() => as(installation, team).get(`/api/jobs/${job}/calls/${call}/stream`));
      const isEarly = round % 3 === 0;
      await pause(isEarly ? round % 30 : waitMs + (round % 30) * 3);
      // A busy machine may answer 503, and the stop is repeated.
      const stopped = expectOk(
        await until(
          () => stop(team, job, call),
          ({ status }) => status !== 503,
        ),
      );
      const recorded = await read(team, job, call);
      if (!isEarly) waitMs = recorded.finish_reason === 'stopped' ? waitMs * 1.2 + 5 : waitMs / 1.2;
      const ended = expectOk(await as(installation, team).get(`/api/jobs/${job}`));
      return { stopped, recorded, ended, answers: [await end, await reader] };
    });

    for (const { stopped, recorded, ended, answers } of ends) {
      const isShown = recorded.first_token_at !== null;
      expect(stopped).toMatchObject({ status: 'succeeded', finish_reason: recorded.finish_reason });
      expect([ended.status, ended.credit_applied]).toEqual(isShown ? ['completed', true] : ['cancelled', false]);
      for (const answer of answers) {
        const { text, reason } = contentOf(answer);
        expect([answer.status, text, reason]).toEqual([200, recorded.response?.content ?? '', recorded.finish_reason]);
      }
    }
    const charged = ends.filter(({ ended }) => ended.credit_applied).length;
    const { credits_remaining } = await given.admin('get', `/api/credits/balance?team_id=${team.teamId}`);
    expect(credits_remaining).toBe(credits - charged);
    expect(await checker.conclude()).toEqual([]);
    const stopped = ends.filter(({ recorded }) => recorded.finish_reason === 'stopped');
    const unshown = stopped.filter(({ recorded }) => recorded.first_token_at === null);
    for (const some of [stopped, ends.filter((one) => !stopped.includes(one))]) expect(some.length).toBeGreaterThan(10);
    figures(`${rounds} streams, stopped around their end`, {
      'stopped before a token, with a part, ended before': `${unshown.length}, ${stopped.length - unshown.length}, ${rounds - stopped.length}`,
    });
  },
  minutes(3, 5),
);
