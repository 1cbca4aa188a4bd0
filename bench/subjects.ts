import type { ProcessGroup } from '../tools/dev/processes/process-group.ts';
import { inBatches } from './drive/in-batches.ts';
import { post } from './drive/send.ts';
import { json, messages, type Shot, type Subject } from './subject.ts';

const request = JSON.stringify({ model: 'bench', messages });
const streamed = (tokens: number) => JSON.stringify({ model: 'bench', messages, stream: true, max_tokens: tokens });

const same = (shot: Shot) => async (lanes: number) => Array.from({ length: lanes }, () => shot);

const chat = (name: string, url: string, headers: Record<string, string>, pids: number[], body = request): Subject => ({
  name,
  url,
  prepare: same({ path: '/chat/completions', headers: { ...json, ...headers }, body }),
  pids,
});

export const direct = (url: string) => chat('direct', url, {}, []);
export const directStream = (url: string, tokens: number) => chat('direct, streamed', url, {}, [], streamed(tokens));

export const litellm = ({ url, key }: { url: string; key: string }, group: ProcessGroup) =>
  chat('LiteLLM', url, { authorization: `Bearer ${key}` }, [group.pidOf('upstream')]);
export const litellmStream = ({ url, key }: { url: string; key: string }, group: ProcessGroup, tokens: number) =>
  chat('LiteLLM, streamed', url, { authorization: `Bearer ${key}` }, [group.pidOf('upstream')], streamed(tokens));

export const portkey = (url: string, upstreamUrl: string, group: ProcessGroup) =>
  chat(
    'Portkey',
    `${url}/v1`,
    { authorization: 'Bearer none', 'x-portkey-provider': 'openai', 'x-portkey-custom-host': upstreamUrl },
    [group.pidOf('upstream')],
  );

/** Calls of running jobs, like those of the gateway. */
export const floorCall = (url: string, group: ProcessGroup): Subject => ({
  name: 'floor: call',
  url,
  pids: [group.pidOf('api'), group.pidOf('worker')],
  prepare: (lanes) =>
    inBatches(lanes, async () => {
      const { job_id } = JSON.parse(await post(url, { path: '/jobs', headers: json, body: '' })) as { job_id: string };
      const shot = { path: `/jobs/${job_id}/call`, headers: json, body: request };
      await post(url, shot);
      return shot;
    }),
});

export const floorSingle = (url: string, group: ProcessGroup): Subject => ({
  name: 'floor: create-and-call',
  url,
  pids: [group.pidOf('api'), group.pidOf('worker')],
  prepare: same({ path: '/create-and-call', headers: json, body: request }),
});
