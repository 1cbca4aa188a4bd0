import { workflowId } from '../../src/domain/ids.ts';
import { readEvents } from '../support/events.ts';
import { givenIn } from '../support/given.ts';
import { minutes, sized } from '../support/sizes.ts';
import { figures } from './support/figures.ts';
import { installationForTests } from './support/installation.ts';
import { RetryingClient } from './support/retrying-client.ts';
import { repeat, somePrompt } from './support/workload.ts';

const calls = sized({ short: 150, full: 4_000 });
const atOnce = 50;
const largePrompts = sized({ short: 1, full: 10 });
const largePromptBytes = 5_000_000;
const largeAnswerMebibytes = 3;

const installation = installationForTests();
const given = givenIn(installation);

/** A cap of tokens would cut the longest answers. */
const withoutTokens = { max_calls: 50_000 };

test(
  `a job with ${calls} calls, ${atOnce} at once and some of 5 MB, records every call and is charged`,
  async () => {
    const { checker, temporal, pool } = installation.current;
    const team = await given.team({ credits: 100_000, models: ['sim-echo'] });
    const client = new RetryingClient(installation.current, team);
    const large = 'a word of it '.repeat(largePromptBytes / 13);
    checker.watch();
    const job = await client.createJob(withoutTokens);

    await repeat(calls, atOnce, (turn) => {
      const prompt = turn < largePrompts ? `${turn} ${large}` : somePrompt();
      return turn % 10 === 9 ? client.stream(job, prompt) : client.call(job, prompt);
    });
    const outcome = await client.complete(job);

    const { rows: errors } = await pool.query(
      `select error, count(*)::int from calls where status <> 'retracted' group by error`,
    );
    expect(errors).toEqual([{ error: null, count: calls }]);
    expect(await checker.conclude()).toEqual([]);
    expect(outcome.costs).toMatchObject({ total_calls: calls, failed_calls: 0, credit_applied: true });
    const runs = await runsOf(job);
    figures('one long job', {
      'calls, at once, prompts and answers of 5 MB': `${calls}, ${atOnce}, ${largePrompts}`,
      'runs (continue-as-new), events of the longest': `${runs.length}, ${Math.max(...runs)}`,
      'answers (0: none)': JSON.stringify(client.statuses),
    });

    /** The events of each run. */
    async function runsOf(jobId: string): Promise<number[]> {
      const lengths: number[] = [];
      const query = `WorkflowId = '${workflowId.job(jobId)}'`;
      for await (const { historyLength } of temporal.workflow.list({ query })) lengths.push(historyLength ?? 0);
      return lengths;
    }
  },
  minutes(2, 15),
);

test(
  `an answer of ${largeAnswerMebibytes} MB arrives and is recorded complete, streamed and not`,
  async () => {
    const { checker, pool } = installation.current;
    const team = await given.team({ models: [`sim-huge-chunk-${largeAnswerMebibytes}`] });
    const client = new RetryingClient(installation.current, team);
    const job = await client.createJob(withoutTokens);
    const body = { model_group: team.modelGroup, messages: [{ role: 'user', content: 'much' }] };

    const whole = await client.sendUntilAnswered(`/api/jobs/${job}/llm-call`, body);
    const streamed = await client.sendUntilAnswered(`/api/jobs/${job}/llm-call-stream`, body);

    expect(whole.body.response.content).toHaveLength(largeAnswerMebibytes * 1_048_576);
    const chunks = readEvents(streamed.text)
      .slice(0, -1)
      .map((event) => JSON.parse(event).choices[0].delta);
    const text = chunks.map(({ content }) => content ?? '').join('');
    expect(text === whole.body.response.content).toBe(true);
    const { rows } = await pool.query(
      'select response from call_payloads join calls using (call_id) where job_id = $1',
      [job],
    );
    for (const { response } of rows) expect(JSON.parse(response).content === whole.body.response.content).toBe(true);
    expect(await checker.conclude()).toEqual([]);
  },
  minutes(2, 5),
);
