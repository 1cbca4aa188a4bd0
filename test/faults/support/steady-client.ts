import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { JobEnd } from '../../../src/domain/job-state.ts';
import { readEvents } from '../../support/events.ts';
import { expectOk, type GivenTeam } from '../../support/given.ts';
import { type Json, sendRequest } from '../../support/send-request.ts';
import type { Installation } from './installation.ts';

/** Read whole: its status, its headers, its bytes. `status` 0: there was no answer, or not all of it. */
interface Heard {
  status: number;
  headers: Headers;
  text: string;
  body: Json;
}

const nothing: Heard = { status: 0, headers: new Headers(), text: '', body: undefined };

/** Longer than any fault; a client that waits this long has found one that does not end. */
const patienceMs = 180_000;
const pauseMs = 100;

/** Streamed or not, an answer is the prompt again: `sim-echo`. So nobody has to remember what it should have been. */
const prompting = (prompt: string) => [{ role: 'user', content: prompt }];

/**
 * A client as the documentation wants one: what got no answer, or 503, or "not yet", is sent again with the same
 * Idempotency-Key. What it reads it tells the checker, and what it must never read it reports.
 */
export class SteadyClient {
  private readonly installation: Installation;
  private readonly team: GivenTeam;
  /** Of every answer, and how many there were. */
  readonly statuses: Record<number, number> = {};
  /** Milliseconds to a whole answer, of those that came at the first try. */
  readonly latencies: number[] = [];
  /** Milliseconds to each 503. */
  readonly refusals: number[] = [];
  streams = { whole: 0, failed: 0 };

  constructor(installation: Installation, team: GivenTeam) {
    this.installation = installation;
    this.team = team;
  }

  async createJob(): Promise<string> {
    const { job_id } = expectOk(
      await this.persist('/api/jobs/create', { team_id: this.team.teamId, job_type: 'report' }),
    );
    this.installation.checker.jobTold(job_id, 'open');
    return job_id;
  }

  /** Null: the call was made and failed. */
  async call(jobId: string, prompt: string): Promise<string | null> {
    const answer = await this.persist(`/api/jobs/${jobId}/llm-call`, this.asking(prompt));
    const callId = answer.headers.get('x-call-id')!;
    if (answer.status === 500) {
      this.installation.checker.callTold(callId, 'failed');
      return null;
    }
    const { content } = expectOk(answer).response;
    this.installation.checker.callTold(callId, { content });
    if (content !== prompt) this.installation.checker.report(`call ${callId} was answered with something else`);
    return content;
  }

  async stream(jobId: string, prompt: string): Promise<string | null> {
    const answer = await this.persist(`/api/jobs/${jobId}/llm-call-stream`, this.asking(prompt));
    expectOk(answer);
    return this.hearStream(answer.headers.get('x-call-id')!, answer.text, prompt);
  }

  async complete(jobId: string, status: JobEnd = 'completed'): Promise<Json> {
    const outcome = expectOk(await this.persist(`/api/jobs/${jobId}/complete`, { status }));
    this.installation.checker.jobTold(jobId, outcome.status);
    return outcome;
  }

  /** Undefined: the call failed, and the job with it. */
  async createAndCall(prompt: string): Promise<Json> {
    const answer = await this.persist('/api/jobs/create-and-call', this.askingSingle(prompt));
    const [jobId, callId] = [answer.headers.get('x-job-id')!, answer.headers.get('x-call-id')!];
    const { checker } = this.installation;
    if (answer.status === 500) {
      checker.jobTold(jobId, 'failed');
      checker.callTold(callId, 'failed');
      return undefined;
    }
    const single = expectOk(answer);
    checker.jobTold(jobId, 'completed');
    checker.callTold(callId, { content: single.response.content });
    if (single.response.content !== prompt) checker.report(`call ${callId} was answered with something else`);
    return single;
  }

  async createAndStream(prompt: string): Promise<string | null> {
    const answer = await this.persist('/api/jobs/create-and-call-stream', this.askingSingle(prompt));
    expectOk(answer);
    return this.hearStream(answer.headers.get('x-call-id')!, answer.text, prompt);
  }

  report(finding: string): void {
    this.installation.checker.report(finding);
  }

  /** With one Idempotency-Key, until there is an answer that is one. */
  async persist(path: string, body: unknown, key: string = randomUUID()): Promise<Heard> {
    const deadline = Date.now() + patienceMs;
    for (;;) {
      const heard = await this.once(path, body, key);
      const again = [0, 503].includes(heard.status) || (heard.status === 409 && heard.headers.has('retry-after'));
      if (!again) return heard;
      if (Date.now() > deadline)
        throw new Error(`${path}: no answer in ${patienceMs} ms, last ${heard.status} ${heard.text}`);
      await pause(pauseMs);
    }
  }

  /** One try. */
  async once(path: string, body: unknown, key?: string): Promise<Heard> {
    const startedAt = performance.now();
    const headers = key === undefined ? undefined : { 'Idempotency-Key': key };
    const heard = await sendRequest(this.installation.url, 'post', path, { key: this.team.key, body, headers }).catch(
      () => nothing,
    );
    const tookMs = performance.now() - startedAt;
    this.statuses[heard.status] = (this.statuses[heard.status] ?? 0) + 1;
    if (heard.status === 200) this.latencies.push(tookMs);
    if (heard.status === 503) this.refusals.push(tookMs);
    const isOurs = heard.status === 500 && !heard.body?.detail?.startsWith('LLM call failed');
    if (isOurs || [401, 403, 404].includes(heard.status))
      this.installation.checker.report(`${path} was answered with ${heard.status} ${heard.text}`);
    return heard;
  }

  /** A stream ends with `[DONE]`, and what it said is the beginning of the answer: no token twice, none left out. */
  private hearStream(callId: string, text: string, prompt: string): string | null {
    const { checker } = this.installation;
    const events = readEvents(text);
    if (events.at(-1) !== '[DONE]') checker.report(`the stream of call ${callId} did not end with [DONE]`);
    const chunks = events.filter((event) => event !== '[DONE]').map((event) => JSON.parse(event) as Json);
    const said = chunks.map(({ choices }) => choices?.[0].delta.content ?? '').join('');
    const failed = chunks.some(({ error }) => error);
    if (failed ? !prompt.startsWith(said) : said !== prompt)
      checker.report(`the stream of call ${callId} said ${said}`);
    this.streams[failed ? 'failed' : 'whole'] += 1;
    // A stream that was lost says nothing of its call.
    if (!failed) checker.callTold(callId, { content: said });
    return failed ? null : said;
  }

  private asking = (prompt: string) => ({ model_group: this.team.modelGroup, messages: prompting(prompt) });

  private askingSingle = (prompt: string) => ({
    team_id: this.team.teamId,
    job_type: 'report',
    model: this.team.modelGroup,
    messages: prompting(prompt),
  });
}
