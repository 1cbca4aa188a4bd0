import { jobsOf } from '../../http/turns/agents.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { type GivenTeam, givenIn, unique } from '../../support/given.ts';
import { checkLedger } from '../../support/ledger.ts';
import { openedForTests } from '../../support/opened-for-tests.ts';
import type { Json } from '../../support/send-request.ts';
import { until } from '../../support/until.ts';
import { type Agent, openAgent, type Program } from './agent.ts';

export interface AgentUnderTest {
  program: Program;
  jobType: string;
  /** The calls for the title of a session, which an agent makes beside those of its first turn. */
  titles?: number;
  /** TURN_SETTLE_SECONDS, where the calls of a turn are more than a second apart. */
  settleSeconds?: number;
  /** A prompt whose answer is a text. */
  ask(agent: Agent, url: string, team: GivenTeam): Promise<string>;
  /** A prompt that has the agent call a tool and answer then. */
  useTool(agent: Agent, url: string, team: GivenTeam): Promise<string>;
  /** A second prompt of the session of `ask`. */
  resume(agent: Agent, url: string, team: GivenTeam): Promise<string>;
}

/** A gateway, an agent, and what its turns become: for the tests of one file. */
export function turnsOf({
  program,
  jobType,
  settleSeconds = 1,
}: Pick<AgentUnderTest, 'program' | 'jobType' | 'settleSeconds'>) {
  const gateway = gatewayForTests({ settings: { TURN_SETTLE_SECONDS: String(settleSeconds) } });
  const given = givenIn(gateway);
  const agent = openedForTests(() => openAgent(program));
  afterEach(async () => expect(await checkLedger(gateway.current.deps.database)).toEqual([]));
  return {
    gateway,
    given,
    agent,
    /** A completed job that was charged. */
    paid: { job_type: jobType, status: 'completed', failed_calls: 0, credit_applied: true, ended_by: 'call' },
    async team(words: string, fields: Json = {}) {
      const model = `${strictly(words)}-as-${unique('agent')}`;
      return { model, team: await given.team({ models: [model], ...fields }) };
    },
    /** The jobs of a team, once so many have ended. */
    async ended(team: GivenTeam, count: number): Promise<Json[]> {
      const jobs = await until(
        () => jobsOf(gateway, team).all(),
        (all) => all.length === count && all.every(({ status }) => status === 'completed'),
      );
      const { read, costs } = jobsOf(gateway, team);
      return Promise.all(jobs.map(async ({ job_id }) => ({ ...(await read(job_id)), ...(await costs(job_id)) })));
    },
    requests: (model: string) => gateway.current.simulator.requestsFor({ model }).length,
    creditsUsed: (team: GivenTeam) => jobsOf(gateway, team).creditsUsed(),
  };
}

export type Turns = ReturnType<typeof turnsOf>;

/** What is translated goes to a model that takes only what a strict server takes. */
const strictly = (words: string) =>
  `sim-${words
    .split('-then-')
    .map((phase) => `strict-${phase}`)
    .join('-then-')}`;
