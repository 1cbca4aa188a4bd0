import { jobsOf } from '../../http/turns/agents.ts';
import { startApiProcess } from '../../support/api-process.ts';
import type { GivenTeam } from '../../support/given.ts';
import { until } from '../../support/until.ts';
import type { Agent } from './agent.ts';
import { openRelay } from './relay.ts';
import type { AgentUnderTest, Turns } from './turns.ts';

export interface LongTurns extends AgentUnderTest {
  /** A call of the tool that starts a sub-agent. */
  startSubagent: { name: string; arguments: Record<string, unknown> };
  /** A prompt for which that tool may be called. */
  delegate(agent: Agent, url: string, team: GivenTeam): Promise<string>;
  /** A prompt whose calls have these headers, as the agent is configured for. */
  askWith(agent: Agent, url: string, team: GivenTeam, headers: Record<string, string>): Promise<string>;
  /** What the end of the first item or block of an answer contains. */
  endOfItem: string;
}

/** The tests of turns of many calls, for the agents whose sub-agents, compactions and repetitions are known. */
export function testTurns(turns: Turns, agentUnderTest: LongTurns): void {
  const { program, jobType, ask, useTool, startSubagent, delegate, askWith, endOfItem } = agentUnderTest;
  const { gateway, given, agent, paid, ended, requests, creditsUsed } = turns;

  test(`${program} starts a sub-agent, whose calls belong to the one job of the turn (spec 27.3, spec 27.5)`, async () => {
    const { model, team } = await turns.team('ok');
    const { simulator } = gateway.current;
    simulator.script(model, { strict: true, calls: startSubagent }, 1);
    simulator.script(model, { strict: true, calls: null });

    await delegate(agent.current, gateway.current.url, team);

    const [job] = await ended(team, 1);
    expect(job).toMatchObject(paid);
    const calls = await jobsOf(gateway, team).calls(job!.job_id);
    expect(calls.filter((call) => call.agent.class === 'subagent').length).toBeGreaterThan(0);
    expect(calls.length).toBeGreaterThan(2);
    expect(await creditsUsed(team)).toBe(1);
  });

  test(`${program} sends headers of its settings, which count before what it is recognized by (spec 27.2)`, async () => {
    const { team } = await turns.team('ok');
    const headers = { 'X-Job-End': 'turn=2', 'X-Job-Type': 'reading' };

    await askWith(agent.current, gateway.current.url, team, headers);

    expect(await ended(team, 1)).toMatchObject([{ ...paid, job_type: 'reading' }]);
  });

  test.each([
    ['strict', 0],
    ['superseded_ok', 1],
  ])(
    `a turn of ${program} whose second call fails once and is repeated is one job, and costs under %s %i credits (spec 21.3)`,
    async (policy, credits) => {
      await given.admin('put', `/api/job-types/${jobType}`, { credits: 1, billing_policy: policy });
      const { model, team } = await turns.team('tools-first-1-then-fail-429-then-ok');

      await useTool(agent.current, gateway.current.url, team);

      expect(await ended(team, 1)).toMatchObject([{ status: 'completed', total_calls: 3, failed_calls: 1 }]);
      expect(requests(model)).toBe(3);
      expect(await creditsUsed(team)).toBe(credits);
    },
  );

  test(`${program} goes on with another call when its stream is cut after a finished item: one job, one credit (spec 27.9)`, async () => {
    const { model, team } = await turns.team('reasoning-content-tokens-40-every-100');
    const first = await startApiProcess(gateway.current);
    let target = first.url;
    const relay = await openRelay(() => target);
    try {
      const printed = ask(agent.current, relay.url, team);
      await until(() => relay.answered.includes(endOfItem));
      target = gateway.current.url;
      await first.kill();

      expect(await printed).toMatch(/\w/);
    } finally {
      await relay.close();
    }
    expect(await ended(team, 1)).toMatchObject([{ ...paid, total_calls: 2 }]);
    expect(requests(model)).toBe(2);
    expect(await creditsUsed(team)).toBe(1);
  });
}
