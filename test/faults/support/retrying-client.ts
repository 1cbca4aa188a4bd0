import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { FinalJobStatus } from '../../../src/domain/job-state.ts';
import { readEvents } from '../../support/events.ts';
import { expectOk, type GivenTeam } from '../../support/given.ts';
import { type Answer, type Json, reasonOf, sendRequest } from '../../support/send-request.ts';
import type { Installation } from './installation.ts';

/** No answer, or not all of it. */
const noAnswer: Answer = { status: 0, headers: new Headers(), text: '', body: undefined };

/** No call was made, and the same request may be sent again: `spec 5.7`. */
const isUnavailable = ({ status, text }: Answer): boolean => status === 503 || text.includes('"code":"unavailable"');

/** Longer than any fault lasts. */
const timeoutMs = 180_000;
const pauseMs = 100;

/** The models are `sim-echo`: the answer to a prompt is the prompt, so that an answer can be checked without stored expectations. */
const messagesOf = (prompt: string) => [{ role: 'user', content: prompt }];

/**
 * A client as the documentation recommends: it repeats a request that got no answer, 503, the error event `unavailable`, or 409 with
 * Retry-After, with the same Idempotency-Key. It passes each answer to the checker and reports answers that must not occur.
 */
export class RetryingClient {
  private readonly installation: Installation;
  private readonly team: GivenTeam;
  /** The number of answers with each status; 0: no answer. */
  readonly statuses: Record<number, number> = {};
  /** Why there was no answer, with the request and the time, so that a test that expects answers only shows what was lost. */
  readonly unanswered: string[] = [];
  /** Milliseconds to each 200. */
  readonly latencies: number[] = [];
  /** Milliseconds to each 503. */
  readonly refusals: number[] = [];
  /** Answers that no call was made. The model may have been asked for each, in vain. */
  unavailable = 0;
  streams = { whole: 0, failed: 0 };

  constructor(installation: Installation, team: GivenTeam) {
    this.installation = installation;
    this.team = team;
  }

  /** The checker compares what the calls reserve with the caps, which no workload reaches. */
  async createJob(budget: object = { max_tokens: 100_000_000, max_calls: 50_000 }): Promise<string> {
    const body = { team_id: this.team.teamId, job_type: 'report', budget };
    const { job_id } = expectOk(await this.sendUntilAnswered('/api/jobs/create', body));
    this.installation.checker.acknowledgeJob(job_id, 'open');
    return job_id;
  }

  /** Null: the call has failed. */
  async call(jobId: string, prompt: string): Promise<string | null> {
    const answer = await this.sendUntilAnswered(`/api/jobs/${jobId}/llm-call`, this.callBody(prompt));
    const callId = answer.headers.get('x-call-id')!;
    if (answer.status === 500) {
      this.installation.checker.acknowledgeCall(callId, 'failed');
      return null;
    }
    const { content } = expectOk(answer).response;
    this.installation.checker.acknowledgeCall(callId, { content });
    if (content !== prompt) this.installation.checker.report(`call ${callId} was answered with something else`);
    return content;
  }

  async stream(jobId: string, prompt: string): Promise<string | null> {
    const answer = await this.sendUntilAnswered(`/api/jobs/${jobId}/llm-call-stream`, this.callBody(prompt));
    expectOk(answer);
    return this.checkStream(answer.headers.get('x-call-id')!, answer.text, prompt);
  }

  async complete(jobId: string, status: FinalJobStatus = 'completed'): Promise<Json> {
    const outcome = expectOk(await this.sendUntilAnswered(`/api/jobs/${jobId}/complete`, { status }));
    this.installation.checker.acknowledgeJob(jobId, outcome.status);
    return outcome;
  }

  /** Undefined: the call failed, and the job with it. */
  async createAndCall(prompt: string): Promise<Json> {
    const answer = await this.sendUntilAnswered('/api/jobs/create-and-call', this.singleCallBody(prompt));
    const [jobId, callId] = [answer.headers.get('x-job-id')!, answer.headers.get('x-call-id')!];
    const { checker } = this.installation;
    if (answer.status === 500) {
      checker.acknowledgeJob(jobId, 'failed');
      checker.acknowledgeCall(callId, 'failed');
      return undefined;
    }
    const single = expectOk(answer);
    checker.acknowledgeJob(jobId, 'completed');
    checker.acknowledgeCall(callId, { content: single.response.content });
    if (single.response.content !== prompt) checker.report(`call ${callId} was answered with something else`);
    return single;
  }

  async createAndStream(prompt: string): Promise<string | null> {
    const answer = await this.sendUntilAnswered('/api/jobs/create-and-call-stream', this.singleCallBody(prompt));
    expectOk(answer);
    return this.checkStream(answer.headers.get('x-call-id')!, answer.text, prompt);
  }

  report(finding: string): void {
    this.installation.checker.report(finding);
  }

  /** Repeats a request with one Idempotency-Key until it is answered. */
  async sendUntilAnswered(
    path: string,
    body: unknown,
    key: string = randomUUID(),
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const answer = await this.once(path, body, key, headers);
      if (isUnavailable(answer)) this.unavailable += 1;
      const isRepeated =
        answer.status === 0 || isUnavailable(answer) || (answer.status === 409 && answer.headers.has('retry-after'));
      if (!isRepeated) return answer;
      if (Date.now() > deadline)
        throw new Error(`${path}: no answer in ${timeoutMs} ms, last ${answer.status} ${answer.text}`);
      await pause(pauseMs);
    }
  }

  /** Sends a request once. */
  async once(path: string, body: unknown, key?: string, further: Record<string, string> = {}): Promise<Answer> {
    const startedAt = performance.now();
    const headers = { ...further, ...(key !== undefined && { 'Idempotency-Key': key }) };
    const answer = await sendRequest(this.installation.url, 'post', path, { key: this.team.key, body, headers }).catch(
      (error: unknown) => {
        const afterMs = Math.round(performance.now() - startedAt);
        this.unanswered.push(`${new Date().toISOString()} ${path} after ${afterMs} ms: ${reasonOf(error)}`);
        return noAnswer;
      },
    );
    const tookMs = performance.now() - startedAt;
    this.statuses[answer.status] = (this.statuses[answer.status] ?? 0) + 1;
    if (answer.status === 200) this.latencies.push(tookMs);
    if (answer.status === 503) this.refusals.push(tookMs);
    const isGatewayError = answer.status === 500 && !answer.body?.detail?.startsWith('LLM call failed');
    if (isGatewayError || [401, 403, 404].includes(answer.status))
      this.installation.checker.report(`${path} was answered with ${answer.status} ${answer.text}`);
    return answer;
  }

  /** Checks that a stream ends with `[DONE]` and that its text is the beginning of the answer: no token twice, none missing. */
  private checkStream(callId: string, text: string, prompt: string): string | null {
    const { checker } = this.installation;
    const events = readEvents(text);
    if (events.at(-1) !== '[DONE]') checker.report(`the stream of call ${callId} did not end with [DONE]`);
    const chunks = events.filter((event) => event !== '[DONE]').map((event) => JSON.parse(event) as Json);
    const received = chunks.map(({ choices }) => choices?.[0].delta.content ?? '').join('');
    const failed = chunks.some(({ error }) => error);
    if (failed ? !prompt.startsWith(received) : received !== prompt)
      checker.report(`the stream of call ${callId} had the text ${received}`);
    this.streams[failed ? 'failed' : 'whole'] += 1;
    // A lost stream does not show whether its call has failed.
    if (!failed) checker.acknowledgeCall(callId, { content: received });
    return failed ? null : received;
  }

  private callBody = (prompt: string) => ({ model_group: this.team.modelGroup, messages: messagesOf(prompt) });

  private singleCallBody = (prompt: string) => ({
    team_id: this.team.teamId,
    job_type: 'report',
    model: this.team.modelGroup,
    messages: messagesOf(prompt),
  });
}
