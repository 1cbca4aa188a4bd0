import { jobsOf } from '../../http/turns/agents.ts';
import { startApiProcess } from '../../support/api-process.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { type GivenTeam, givenIn, unique } from '../../support/given.ts';
import { checkLedger } from '../../support/ledger.ts';
import { openedForTests } from '../../support/opened-for-tests.ts';
import { until } from '../../support/until.ts';
import { untilRequested } from '../../support/until-requested.ts';
import { type Agent, openAgent } from './agent.ts';
import { openRelay } from './relay.ts';

export interface AgentUnderTest {
  program: 'claude' | 'codex';
  jobType: string;
  /** A prompt whose answer is a text. */
  ask(agent: Agent, url: string, team: GivenTeam): Promise<string>;
  /** A prompt that has the agent call a tool and answer then. */
  useTool(agent: Agent, url: string, team: GivenTeam): Promise<string>;
  /** A second prompt of the session of `ask`. */
  resume(agent: Agent, url: string, team: GivenTeam): Promise<string>;
}

/** The tests that every agent has to pass after base URL and key only: what it prints, and what the team pays. */
export function testAgent({ program, jobType, ask, useTool, resume }: AgentUnderTest): void {
  const gateway = gatewayForTests({ settings: { TURN_SETTLE_SECONDS: '1' } });
  const given = givenIn(gateway);
  const agent = openedForTests(() => openAgent(program));
  afterEach(async () => expect(await checkLedger(gateway.current.deps.database)).toEqual([]));

  const givenTeam = async (words: string) => {
    const model = `sim-strict-${words}-as-${unique('agent')}`;
    return { model, team: await given.team({ models: [model] }) };
  };

  /** The jobs of a team, once so many have ended. */
  const ended = async (team: GivenTeam, count: number) => {
    const jobs = await until(
      () => jobsOf(gateway, team).all(),
      (all) => all.length === count && all.every(({ status }) => status === 'completed'),
    );
    const { read, costs } = jobsOf(gateway, team);
    return Promise.all(jobs.map(async ({ job_id }) => ({ ...(await read(job_id)), ...(await costs(job_id)) })));
  };
  const requests = (model: string) => gateway.current.simulator.requestsFor({ model }).length;
  const paid = { job_type: jobType, status: 'completed', failed_calls: 0, credit_applied: true, ended_by: 'call' };

  test(`${program} answers a prompt, which is one job and one credit (spec 27.2, spec 27.3)`, async () => {
    const { model, team } = await givenTeam('tokens-7');

    const printed = await ask(agent.current, gateway.current.url, team);

    expect(printed).toMatch(/\w/);
    expect(await ended(team, 1)).toMatchObject([{ ...paid, total_calls: 1 }]);
    expect(requests(model)).toBe(1);
    expect(await jobsOf(gateway, team).creditsUsed()).toBe(1);
  });

  test(`${program} calls a tool and answers, which is one job of two calls and one credit (spec 27.2, spec 27.3)`, async () => {
    const { model, team } = await givenTeam('ok');

    await useTool(agent.current, gateway.current.url, team);

    expect(await ended(team, 1)).toMatchObject([{ ...paid, total_calls: 2 }]);
    expect(requests(model)).toBe(2);
    expect(await jobsOf(gateway, team).creditsUsed()).toBe(1);
  });

  test(`${program} resumes a session after its turn has ended, which is a second job and a second credit (spec 27.3)`, async () => {
    const { model, team } = await givenTeam('tokens-7');
    await ask(agent.current, gateway.current.url, team);
    await ended(team, 1);

    await resume(agent.current, gateway.current.url, team);

    expect(await ended(team, 2)).toMatchObject([
      { ...paid, total_calls: 1 },
      { ...paid, total_calls: 1 },
    ]);
    expect(requests(model)).toBe(2);
    expect(await jobsOf(gateway, team).creditsUsed()).toBe(2);
  });

  test(`${program} goes on when the api of its stream is killed: one call upstream, one job, one credit (spec 27.9)`, async () => {
    const { model, team } = await givenTeam('tokens-40-every-100');
    const first = await startApiProcess(gateway.current);
    let target = first.url;
    const relay = await openRelay(() => target);
    try {
      const printed = ask(agent.current, relay.url, team);
      await untilRequested(gateway, model);
      await until(() => relay.requests.length > 0);
      target = gateway.current.url;
      await first.kill();

      expect(await printed).toMatch(/\w/);
    } finally {
      await relay.close();
    }
    expect(await ended(team, 1)).toMatchObject([{ ...paid, total_calls: 1 }]);
    expect(requests(model)).toBe(1);
    expect(await jobsOf(gateway, team).creditsUsed()).toBe(1);
  });
}
