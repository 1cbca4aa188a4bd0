import { randomUUID } from 'node:crypto';
import { isIdempotent } from '../../../src/http/idempotency/idempotency-key.ts';
import type { RouteSpec } from '../../../src/http/route.ts';
import { routes } from '../../../src/http/routes.ts';
import { sendRequest } from '../../support/send-request.ts';
import { countEffects, countRuns, effectsForTests } from './effects.ts';

const { gateway, send } = effectsForTests();

test('a repeated request gets the same bytes with Idempotent-Replayed, and has no further effect (spec 10.7)', async () => {
  const name = randomUUID();

  const first = await send(name, { name });
  const again = await send(name, { name });

  expect(first.status).toBe(200);
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  expect(again).toMatchObject({ status: 200, text: first.text });
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.headers.get('x-job-id')).toBe(first.body.id);
  expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
  expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
  // A repetition is not limited, and has no headers of limits.
  expect(first.headers.get('x-ratelimit-limit')).not.toBeNull();
  expect(again.headers.get('x-ratelimit-limit')).toBeNull();
  expect(countRuns(name)).toBe(1);
});

test('twenty requests at once with one key have one effect and one answer (spec 10.5)', async () => {
  const name = randomUUID();

  const answers = await Promise.all(Array.from({ length: 20 }, () => send(name, { name })));

  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(19);
  expect(countRuns(name)).toBe(1);
});

test('requests with another key, with another path or without a key each have an effect (spec 10.3)', async () => {
  const name = randomUUID();

  await send(name, { name });
  await send(`${name}-2`, { name });
  await send(name, { name }, '/test/others');
  await send(undefined, { name });
  await send(undefined, { name });

  expect(countEffects(name)).toBe(5);
});

test('a body with other blanks and another order of fields is the same request, and one with another value is refused (spec 10.4)', async () => {
  const name = randomUUID();
  const raw = (text: string) =>
    sendRequest(gateway.current.url, 'post', '/test/effects', {
      key: gateway.current.masterKey,
      headers: { 'idempotency-key': name, 'content-type': 'application/json' },
      raw: text,
    });

  const first = await raw(`{"name":"${name}","outcome":""}`);
  const same = await raw(`{ "outcome": "", "name": "${name}" }`);
  const other = await raw(`{"name":"${name}","outcome":" "}`);

  expect(same).toMatchObject({ status: 200, text: first.text });
  expect(other.status).toBe(422);
  expect(other.body.detail).toEqual([
    { loc: ['header', 'idempotency-key'], msg: expect.stringContaining('another body'), type: 'value_error' },
  ]);
  expect(countRuns(name)).toBe(1);
});

test('a body is compared also on a route whose body is optional (spec 10.4)', async () => {
  const [bodiless, named] = [randomUUID(), randomUUID()];

  const first = await send(bodiless, undefined, '/test/bare');
  const same = await send(bodiless, undefined, '/test/bare');
  const other = await send(bodiless, { reason: 'another' }, '/test/bare');

  expect(same).toMatchObject({ status: 200, text: first.text });
  expect(other.status).toBe(422);
  expect((await send(named, { reason: 'one' }, '/test/bare')).status).toBe(200);
  expect((await send(named, { reason: 'another' }, '/test/bare')).status).toBe(422);
});

test.each([
  ['empty', ''],
  ['256 characters long', 'k'.repeat(256)],
  ['with a space', 'a b'],
  ['with a tab', 'a\tb'],
  ['not ASCII', 'é'],
])('an Idempotency-Key that is %s is refused with 422 (spec 10.2)', async (_what, key) => {
  const name = randomUUID();

  const answer = await send(key, { name });

  expect(answer.status).toBe(422);
  expect(answer.body.detail).toMatchObject([{ loc: ['header', 'idempotency-key'] }]);
  expect(countRuns(name)).toBe(0);
});

test('every POST route accepts an Idempotency-Key, except those of admin users and of the session (spec 10.1)', () => {
  const takesKey = ({ method, path }: RouteSpec) =>
    method === 'post' && !path.startsWith('/api/admin-users') && path !== '/api/session';

  expect(routes.filter(({ spec }) => isIdempotent(spec) !== takesKey(spec)).map(({ spec }) => spec.path)).toEqual([]);
});
