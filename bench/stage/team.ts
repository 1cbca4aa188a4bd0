import { inBatches } from '../drive/in-batches.ts';
import { post } from '../drive/send.ts';
import { json, messages, type Shot, type Subject } from '../subject.ts';
import type { Gateway } from './start-gateway.ts';

/** The team of all jobs of the benchmark, and the number of its completed jobs. */
export interface Team {
  teamId: string;
  key: string;
  /** Creates open jobs that have had one call, so that calls of running jobs are measured. */
  runningJobs(count: number): Promise<string[]>;
  /** Completes the open jobs. Resolves with the number of all completed jobs. */
  completeJobs(): Promise<number>;
}

/** The name is another one in a database that other runs have used. */
export async function createTeam({ url, masterKey }: Gateway, name = 'bench'): Promise<Team> {
  const asAdmin = (path: string, body: object) => postJson(url, masterKey, path, body);
  await asAdmin('/api/organizations/create', { organization_id: name, name: 'Bench' });
  await asAdmin('/api/model-groups/create', {
    group_name: name,
    display_name: 'bench',
    models: [{ model_name: 'bench', priority: 0 }],
  });
  const { virtual_key: key } = await asAdmin('/api/teams/create', {
    organization_id: name,
    team_id: name,
    model_groups: [name],
    // 200 streams run at once.
    max_concurrent_calls: 500,
    credits_allocated: 100_000_000,
  });
  const open: string[] = [];
  let completed = 0;
  const createJob = async (): Promise<string> => {
    const { job_id } = await postJson(url, key!, '/api/jobs/create', { team_id: name, job_type: 'bench' });
    open.push(job_id!);
    await postJson(url, key!, `/api/jobs/${job_id}/llm-call`, { model_group: name, messages });
    return job_id!;
  };
  return {
    teamId: name,
    key: key!,
    runningJobs: (count) => inBatches(count, createJob),
    async completeJobs() {
      for (let jobs = open.splice(0, 16); jobs.length > 0; jobs = open.splice(0, 16)) {
        await Promise.all(jobs.map((id) => postJson(url, key!, `/api/jobs/${id}/complete`, { status: 'completed' })));
        completed += jobs.length;
      }
      return completed;
    },
  };
}

export const llmCall = ({ url }: Gateway, team: Team, pids: number[]): Subject =>
  inJobs('llm-call', url, team, pids, 'llm-call', {});

export const llmCallStream = ({ url }: Gateway, team: Team, pids: number[], tokens: number): Subject =>
  inJobs('llm-call-stream', url, team, pids, 'llm-call-stream', { max_tokens: tokens });

/** As the `openai` client sends a call of a running job. */
export const chatInJob = ({ url }: Gateway, team: Team, pids: number[]): Subject => ({
  name: 'chat/completions in a job',
  url,
  pids,
  prepare: async (lanes) =>
    (await team.runningJobs(lanes)).map((jobId) => chatShot(team, { 'x-job-id': jobId }, chatRequest)),
});

export const chatAlone = ({ url }: Gateway, team: Team, pids: number[]): Subject => {
  const shot = { ...chatShot(team, {}, chatRequest), isJob: true };
  return {
    name: 'chat/completions alone',
    url,
    prepare: async (lanes) => Array.from({ length: lanes }, () => shot),
    pids,
  };
};

const chatRequest = { model: 'bench', messages };

const chatShot = (team: Team, headers: Record<string, string>, body: object): Shot => ({
  path: '/v1/chat/completions',
  headers: { ...json, authorization: `Bearer ${team.key}`, ...headers },
  body: JSON.stringify(body),
});

export const chatStreamInJob = ({ url }: Gateway, team: Team, pids: number[], tokens: number): Subject => ({
  name: 'chat/completions in a job, streamed',
  url,
  pids,
  prepare: async (lanes) =>
    (await team.runningJobs(lanes)).map((jobId) =>
      chatShot(team, { 'x-job-id': jobId }, { ...chatRequest, stream: true, max_tokens: tokens }),
    ),
});

const inJobs = (name: string, url: string, team: Team, pids: number[], verb: string, more: object): Subject => {
  const body = JSON.stringify({ model_group: team.teamId, messages, ...more });
  const headers = { ...json, authorization: `Bearer ${team.key}` };
  const prepare = async (lanes: number): Promise<Shot[]> =>
    (await team.runningJobs(lanes)).map((jobId) => ({ path: `/api/jobs/${jobId}/${verb}`, headers, body }));
  return { name, url, prepare, pids };
};

export const createAndCall = ({ url }: Gateway, team: Team, pids: number[]): Subject => {
  const body = JSON.stringify({ team_id: team.teamId, job_type: 'bench', model: 'bench', messages });
  const headers = { ...json, authorization: `Bearer ${team.key}` };
  const shot = { path: '/api/jobs/create-and-call', headers, body, isJob: true };
  return { name: 'create-and-call', url, prepare: async (lanes) => Array.from({ length: lanes }, () => shot), pids };
};

async function postJson(url: string, key: string, path: string, body: object): Promise<Record<string, string>> {
  const headers = { ...json, authorization: `Bearer ${key}` };
  return JSON.parse(await post(url, { path, headers, body: JSON.stringify(body) })) as Record<string, string>;
}
