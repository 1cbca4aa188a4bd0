import { startApiProcess } from '../../support/api-process.ts';
import { until } from '../../support/until.ts';
import { untilRequested } from '../../support/until-requested.ts';
import { openRelay } from './relay.ts';
import { type AgentUnderTest, type Turns, turnsOf } from './turns.ts';

/** The tests that every agent has to pass after base URL and key only: what it prints, and what the team pays. */
export function testAgent(agentUnderTest: AgentUnderTest): Turns {
  const { program, titles = 0, ask, useTool, resume } = agentUnderTest;
  const turns = turnsOf(agentUnderTest);
  const { gateway, agent, paid, ended, requests, creditsUsed } = turns;

  test(`${program} answers a prompt, which is one job and one credit (spec 27.2, spec 27.3)`, async () => {
    const { model, team } = await turns.team('tokens-7');

    const printed = await ask(agent.current, gateway.current.url, team);

    expect(printed).toMatch(/\w/);
    expect(await ended(team, 1)).toMatchObject([{ ...paid, total_calls: 1 + titles }]);
    expect(requests(model)).toBe(1 + titles);
    expect(await creditsUsed(team)).toBe(1);
  });

  test(`${program} calls a tool and answers, which is one job of two calls and one credit (spec 27.2, spec 27.3)`, async () => {
    const { model, team } = await turns.team('ok');

    await useTool(agent.current, gateway.current.url, team);

    expect(await ended(team, 1)).toMatchObject([{ ...paid, total_calls: 2 + titles }]);
    expect(requests(model)).toBe(2 + titles);
    expect(await creditsUsed(team)).toBe(1);
  });

  test(`${program} resumes a session after its turn has ended, which is a second job and a second credit (spec 27.3)`, async () => {
    const { model, team } = await turns.team('tokens-7');
    await ask(agent.current, gateway.current.url, team);
    await ended(team, 1);

    await resume(agent.current, gateway.current.url, team);

    expect(await ended(team, 2)).toMatchObject([paid, paid]);
    // A title that was not there when the program ended is asked for again.
    expect([2 + titles, 2 + 2 * titles]).toContain(requests(model));
    expect(await creditsUsed(team)).toBe(2);
  });

  test(`${program} goes on when the api of its stream is killed: one call upstream, one job, one credit (spec 27.9)`, async () => {
    const { model, team } = await turns.team('tokens-40-every-100');
    const first = await startApiProcess(gateway.current);
    let target = first.url;
    const relay = await openRelay(() => target);
    try {
      const printed = ask(agent.current, relay.url, team);
      await untilRequested(gateway, model, 1 + titles);
      await until(() => relay.requests.length > 0);
      target = gateway.current.url;
      await first.kill();

      expect(await printed).toMatch(/\w/);
    } finally {
      await relay.close();
    }
    expect(await ended(team, 1)).toMatchObject([{ ...paid, total_calls: 1 + titles }]);
    expect(requests(model)).toBe(1 + titles);
    expect(await creditsUsed(team)).toBe(1);
  });

  return turns;
}
