import {
  APIConnectionError,
  APITimeoutError,
  callFailure,
  errorOf,
  readRetryAfter,
} from '../../clients/typescript/src/errors.ts';
import { backoffMs, type Failure, repetitionOf } from '../../clients/typescript/src/repetition.ts';

const answer = (status: number, code: string | null = null, retryAfter: string | null = null) =>
  errorOf(status, (name) => (name === 'retry-after' ? retryAfter : null), JSON.stringify({ detail: 'why', code }));

const failure = (error: unknown, fields: Partial<Failure> = {}): Failure => ({
  error,
  repetitions: 0,
  maxRetries: 2,
  isSafe: true,
  lostForMs: null,
  timeoutMs: 3_600_000,
  ...fields,
});

const waitOf = (error: unknown, fields?: Partial<Failure>) => repetitionOf(failure(error, fields), 0)?.waitMs ?? null;

test.each([
  ['a lost connection', new APIConnectionError('lost'), 500],
  ['a timeout', new APITimeoutError('late'), 500],
  ['408', answer(408), 500],
  ['409 with Retry-After', answer(409, 'request_in_progress', '1'), 1_000],
  ['429 with Retry-After', answer(429, 'rate_limited', '7'), 7_000],
  ['429 without Retry-After', answer(429, 'rate_limited'), 500],
  ['500 internal_error', answer(500, 'internal_error'), 500],
  ['502 of a balancer', errorOf(502, () => null, '<html>'), 500],
  ['503 with Retry-After', answer(503, 'unavailable', '1'), 1_000],
  ['429 that waits for 60 s', answer(429, 'rate_limited', '60'), 60_000],
])('%s is repeated (clients 4)', (_, error, waitMs) => {
  expect(waitOf(error)).toBe(waitMs);
});

test.each([
  ['400', answer(400)],
  ['401', answer(401)],
  ['402 with Retry-After', answer(402, 'job_budget_reached', '1')],
  ['403', answer(403)],
  ['404', answer(404)],
  ['409 without Retry-After', answer(409, 'job_finished')],
  ['422', answer(422)],
  ['the 500 of a failed call', answer(500, 'call_failed')],
  ['the error event of a stream', callFailure('failed', 'stream_lost', null)],
  ['429 that waits for 61 s', answer(429, 'rate_limited', '61')],
  ['an abort', new DOMException('aborted', 'AbortError')],
  ['a mistake of the program', new TypeError('x')],
])('%s is thrown at once (clients 4)', (_, error) => {
  expect(waitOf(error)).toBeNull();
});

test('a request is repeated twice at most, or as often as is set (clients 4)', () => {
  const lost = new APIConnectionError('lost');

  expect(waitOf(lost, { repetitions: 1 })).not.toBeNull();
  expect(waitOf(lost, { repetitions: 2 })).toBeNull();
  expect(waitOf(lost, { repetitions: 4, maxRetries: 5 })).not.toBeNull();
  expect(waitOf(lost, { maxRetries: 0 })).toBeNull();
});

test('waiting for the own request, whose connection was lost, is no repetition, until its timeout is over (clients 4)', () => {
  const inProgress = answer(409, 'request_in_progress', '1');
  const fields = { repetitions: 2, lostForMs: 300_000 };

  expect(repetitionOf(failure(inProgress, fields), 0)).toEqual({ waitMs: 8_000, counts: false });
  expect(repetitionOf(failure(inProgress, { ...fields, lostForMs: 5_000 }), 0)).toEqual({
    waitMs: 1_000,
    counts: false,
  });
  expect(repetitionOf(failure(inProgress, { ...fields, timeoutMs: 300_000 }), 0)).toBeNull();
  expect(repetitionOf(failure(inProgress, { ...fields, lostForMs: null }), 0)).toBeNull();
  expect(repetitionOf(failure(inProgress, { ...fields, maxRetries: 0 }), 0)).toBeNull();
  expect(repetitionOf(failure(answer(409, 'other', '1'), fields), 0)).toBeNull();
});

test.each([
  ['Node.js', new TypeError('fetch failed', { cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) })],
  ['Bun', Object.assign(new Error('Unable to connect'), { code: 'ConnectionRefused' })],
  ['Deno', new TypeError('error sending request: tcp connect error: Connection refused (os error 111)')],
])(
  'after a lost connection, one that is refused is tried again for a minute, with the errors of %s (clients 4)',
  (_, cause) => {
    const refused = new APIConnectionError('no connection', { cause });

    expect(repetitionOf(failure(refused, { repetitions: 2, lostForMs: 59_000 }), 0)).toMatchObject({ counts: false });
    expect(repetitionOf(failure(refused, { repetitions: 2, lostForMs: 60_000 }), 0)).toBeNull();
    expect(repetitionOf(failure(refused, { repetitions: 2 }), 0)).toBeNull();
    expect(repetitionOf(failure(new APIConnectionError('reset'), { repetitions: 2, lostForMs: 1 }), 0)).toBeNull();
  },
);

test('a write that takes no Idempotency-Key is repeated only when it was refused (clients 4)', () => {
  const isSafe = false;

  expect(waitOf(new APIConnectionError('lost'), { isSafe })).toBeNull();
  expect(waitOf(answer(500, 'internal_error'), { isSafe })).toBeNull();
  expect(waitOf(answer(429, 'rate_limited', '1'), { isSafe })).toBe(1_000);
  expect(waitOf(answer(503, 'unavailable', '1'), { isSafe })).toBe(1_000);
});

test('waits double from half a second to 8 s, and are lengthened by up to a half at random (clients 4)', () => {
  expect([0, 1, 2, 3, 4, 5, 50].map((times) => backoffMs(times, 0))).toEqual([
    500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000,
  ]);
  expect(backoffMs(0, 0.5)).toBe(625);
});

test('Retry-After is seconds or a date (clients 4)', () => {
  const now = Date.parse('2026-01-31T12:00:00Z');
  const read = (value: string | null) => readRetryAfter(value, now);

  expect(read('3')).toBe(3);
  expect(read('0')).toBe(0);
  expect(read('-5')).toBe(0);
  expect(read('Sat, 31 Jan 2026 12:00:30 GMT')).toBe(30);
  expect(read('Sat, 31 Jan 2026 11:00:00 GMT')).toBe(0);
  expect([null, '', ' ', 'soon'].map(read)).toEqual([null, null, null, null]);
});

test('an answer in another form than that of the gateway is an error with its text', () => {
  expect(errorOf(502, () => null, '<html>bad gateway')).toMatchObject({
    status: 502,
    code: null,
    detail: '<html>bad gateway',
  });
  expect(errorOf(500, () => null, '')).toMatchObject({ detail: 'The gateway answered with 500', body: null });
  expect(errorOf(400, () => null, '[1]').name).toBe('BadRequestError');
  expect(errorOf(418, () => null, 'null').name).toBe('APIError');
});
