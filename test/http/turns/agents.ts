import { type Addressed, as, expectOk, type GivenTeam, unique } from '../../support/given.ts';
import type { Answer, Json } from '../../support/send-request.ts';
import { until } from '../../support/until.ts';

const lookUp = { type: 'function', function: { name: 'look_up', parameters: { type: 'object', properties: {} } } };
export const callsTool = { tools: [lookUp], tool_choice: 'required' };
export const answers = { tools: [lookUp], tool_choice: 'none' };

type Headers = Record<string, string>;

/** What Claude Code 2.1 sends with each call of a session, and with that of a sub-agent. */
export const claudeCode = (session: string): Headers => ({
  'user-agent': 'claude-cli/2.1.328 (external, cli)',
  'x-claude-code-session-id': session,
});
export const subagent = (session: string, id: string): Headers => ({
  ...claudeCode(session),
  'x-claude-code-agent-id': id,
});

/** What Codex 0.169 has in the body of a call. */
export const codex = (session_id: string, root_turn_id: string, request_kind = 'turn') => ({
  client_metadata: {
    session_id,
    root_turn_id,
    turn_id: unique('turn'),
    'x-codex-turn-metadata': JSON.stringify({ session_id, root_turn_id, request_kind }),
  },
});

export const jobOf = (answer: Answer): string => {
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  return answer.headers.get('x-job-id')!;
};

/** What a team reads of its jobs. */
export function jobsOf(gateway: Addressed, team: GivenTeam) {
  const read = async (job: string): Promise<Json> => expectOk(await as(gateway, team).get(`/api/jobs/${job}`));
  return {
    read,
    all: async (): Promise<Json[]> => expectOk(await as(gateway, team).get(`/api/teams/${team.teamId}/jobs`)).jobs,
    calls: async (job: string): Promise<Json[]> =>
      expectOk(await as(gateway, team).get(`/api/jobs/${job}/calls`)).calls,
    costs: async (job: string): Promise<Json> => expectOk(await as(gateway, team).complete(job)).costs,
    untilEnded: (job: string): Promise<Json> =>
      until(
        () => read(job),
        ({ status }) => status !== 'in_progress' && status !== 'pending',
      ),
    creditsUsed: async (): Promise<number> => (await as(gateway, team).credits()).credits_used,
  };
}
