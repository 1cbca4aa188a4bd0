import { z } from 'zod';
import type { RouteSpec } from '../../src/http/route.ts';
import { routes } from '../../src/http/routes.ts';
import { defaultSurface, surfaceOf } from '../../src/http/surfaces.ts';
import { innermost } from '../../src/http/validation/validate.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { type GivenTeam, givenIn, unique } from '../support/given.ts';
import { type Answer, sendRequest } from '../support/send-request.ts';
import { adminsIn } from './admin-users/admins.ts';

/** What every route under `/api` refuses alike, made from the routes, so that a new one is tried with it too. */
const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);

let team: GivenTeam;
let ownerToken: string;
beforeAll(async () => {
  ownerToken = (await adminsIn(gateway).owner()).token;
  team = await given.team();
});

const job = '0b0e3c4a-8a50-4f9c-9a05-3f4a2c1d5e6f';
/** Of the own team where its key is used: an admin's request that turns out to be good shall find nothing to change. */
const idFor = ({ access: { audience: auth } }: RouteSpec, name: string) => {
  if (!auth.includes('team')) return /team|organization|group|alias/.test(name) ? unique('nowhere') : job;
  return { team_id: team.teamId, organization_id: team.organizationId }[name] ?? job;
};

function credentialFor({ access: { audience: auth } }: RouteSpec): string | undefined {
  if (auth.includes('team')) return team.key;
  return auth.includes('admin') ? gateway.current.masterKey : auth.length > 0 ? ownerToken : undefined;
}

interface Sent {
  raw?: string;
  query?: string;
  contentType?: string;
  path?: string;
}

const send = (spec: RouteSpec, { raw, query = '', contentType = 'application/json', path }: Sent): Promise<Answer> =>
  sendRequest(
    gateway.current.url,
    spec.method,
    (path ?? spec.path.replaceAll(/\{(\w+)\}/g, (_all, name) => idFor(spec, name))) + query,
    {
      key: credentialFor(spec),
      headers: raw === undefined ? {} : { 'content-type': contentType, 'idempotency-key': unique('key') },
      raw,
    },
  );

const named = (specs: RouteSpec[]) => specs.map((spec) => [`${spec.method} ${spec.path}`, spec] as const);
const all = routes.map(({ spec }) => spec).filter((spec) => surfaceOf(spec) === defaultSurface);
const withBody = all.filter(({ body }) => body);
const fieldsOf = (schema: z.ZodType | undefined) =>
  Object.entries(schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : {});

function expectInvalid(answer: Answer, loc: unknown[]): void {
  expect({ status: answer.status, body: answer.body }).toEqual({
    status: 422,
    body: {
      code: 'request_invalid',
      detail: expect.arrayContaining([{ loc, msg: expect.any(String), type: expect.any(String) }]),
    },
  });
}

test.each(named(withBody))('%s accepts an object only', async (_name, spec) => {
  for (const raw of ['[]', '"text"', '1', 'true']) expectInvalid(await send(spec, { raw }), ['body']);
  expectInvalid(await send(spec, { raw: '{' }), ['body', 1]);
  expectInvalid(await send(spec, { raw: '{}', contentType: 'text/plain' }), ['body']);
  expect((await send(spec, { raw: '{}', contentType: 'application/json; charset=latin1' })).status).toBe(415);
  if (!spec.body?.isOptional) for (const raw of ['', 'null']) expectInvalid(await send(spec, { raw }), ['body']);
});

test.each(named(withBody))('%s reports missing fields and fields of another type (spec 1.3)', async (_name, spec) => {
  const fields = fieldsOf(spec.body?.schema);
  const required = fields.filter(([, schema]) => !schema.safeParse(undefined).success).map(([name]) => name);
  const picky = fields.filter(([, schema]) => !schema.safeParse([[]]).success).map(([name]) => name);

  const empty = await send(spec, { raw: '{}' });
  const wrong = await send(spec, { raw: JSON.stringify(Object.fromEntries(picky.map((name) => [name, [[]]]))) });

  for (const name of required) expectInvalid(empty, ['body', name]);
  const refused = (wrong.body.detail as { loc: string[] }[]).map(({ loc }) => loc[1]);
  expect(wrong.status).toBe(422);
  expect(new Set(refused)).toEqual(new Set([...picky, ...required.filter((name) => !picky.includes(name))]));
});

test.each(named(withBody))(
  '%s refuses NUL, lone surrogates, the key __proto__ and deep nesting (spec 1.5)',
  async (_name, spec) => {
    const [[name = 'field'] = []] = fieldsOf(spec.body?.schema);

    expectInvalid(await send(spec, { raw: `{"${name}":"a\\u0000b"}` }), ['body', name]);
    expectInvalid(await send(spec, { raw: `{"${name}":"\\udc00"}` }), ['body', name]);
    expectInvalid(await send(spec, { raw: '{"__proto__":{"is_admin":true}}' }), ['body']);
    expectInvalid(await send(spec, { raw: `{"${name}":${'['.repeat(40)}${']'.repeat(40)}}` }), [
      'body',
      name,
      ...Array(32).fill(0),
    ]);
  },
);

const withId = all.filter(({ path }) => /\{(job|webhook|delivery)_id\}/.test(path));
test.each(named(withId))('%s accepts a UUID only', async (_name, spec) => {
  const name = /\{((?:job|webhook|delivery)_id)\}/.exec(spec.path)![1]!;
  for (const id of ['not-a-uuid', '%00', '..%2f', 'g'.repeat(36), `${job}0`]) {
    const answer = await send(spec, { path: spec.path.replace(/\{\+?\w+\}/, id), raw: spec.body && '{}' });
    expectInvalid(answer, ['path', name]);
  }
});

const numbers = ['0', '-1', '1000000000', '1.5', 'ten', '', '1&NAME=2', 'NaN'];
const pages = all.flatMap((spec) =>
  fieldsOf(spec.query)
    .filter(([name, schema]) => innermost(schema) instanceof z.ZodNumber && ['limit', 'offset'].includes(name))
    .map(([name]) => [`${spec.path}?${name}`, spec, name] as const),
);
test.each(pages)('%s accepts a number within its bounds only', async (_name, spec, name) => {
  const bad = name === 'limit' ? numbers : ['-1', '1e18', '2147483648', '1.5', 'ten', ''];
  for (const value of bad) {
    expectInvalid(await send(spec, { query: `?${name}=${value.replace('NAME', name)}` }), ['query', name]);
  }
  for (const spelling of [`${name}[]=1`, `${name}[a]=1`]) {
    expectInvalid(await send(spec, { query: `?${spelling}` }), ['query', name]);
  }
});

const periods = all.filter(({ query }) => fieldsOf(query).some(([name]) => name === 'period'));
test.each(named(periods))('%s accepts a month only', async (_name, spec) => {
  for (const period of ['2026-1', '2026-13', '2026-00', '202601', '2026-01-01', '', '2026-01%0a', '２０２６-01', 'x'])
    expectInvalid(await send(spec, { query: `?period=${encodeURI(decodeURI(period))}` }), ['query', 'period']);
  const isRequired = !spec.query!.shape.period!.safeParse(undefined).success;
  if (isRequired) expectInvalid(await send(spec, {}), ['query', 'period']);
});
