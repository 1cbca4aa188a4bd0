import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Uuid } from '../../../src/contracts/fields.ts';
import { statement } from '../../../src/db/sql/statement.ts';
import { invalid, refuse, Unavailable } from '../../../src/errors.ts';
import { route } from '../../../src/http/route.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { sendRequest } from '../../support/send-request.ts';

/** What the handlers below did: one effect for each operation, however often it is carried out. */
const effects = new Map<string, Set<string>>();
const runs = new Map<string, number>();
/** Where those wait that are asked to, by name. */
export const gates = new Map<string, PromiseWithResolvers<void>>();

const failures: Record<string, Error> = {
  400: refuse('budget_invalid', 'no'),
  403: refuse('insufficient_credits'),
  404: refuse('job_not_found', 'x'),
  409: refuse('job_finished', 'completed'),
  422: invalid(['body', 'outcome'], 'no'),
  429: refuse('rate_limited').with({ 'Retry-After': '7' }),
  500: refuse('call_failed', 'the upstream said no'),
  503: new Unavailable('worker'),
};

const Effect = z.object({
  name: z.string(),
  outcome: z.string().optional(),
  failing_run: z.int().default(1),
  wait: z.boolean().optional(),
});

/** Fails as its body says in one run, the first unless it says otherwise, and succeeds in the others. */
const makeEffect = (path: string) =>
  route(
    {
      operationId: 'makeEffect',
      method: 'post',
      path,
      summary: 'Has an effect',
      tag: 'Test',
      access: { audience: ['admin'] },
      limits: { rate: 'management' },
      body: { schema: Effect },
      response: z.object({ id: Uuid, run: z.int() }),
    },
    async ({ body, newId, setHeader }) => {
      const id = newId('effect');
      effects.set(body.name, (effects.get(body.name) ?? new Set()).add(id));
      const run = (runs.get(body.name) ?? 0) + 1;
      runs.set(body.name, run);
      setHeader('X-Job-Id', id);
      if (body.wait) await getGate(body.name).promise;
      const failure = failures[body.outcome ?? ''];
      if (failure && run === body.failing_run) throw failure;
      return { id, run };
    },
  );

export function getGate(name: string): PromiseWithResolvers<void> {
  const gate = gates.get(name) ?? Promise.withResolvers<void>();
  gates.set(name, gate);
  return gate;
}

const takesNoBody = route(
  {
    operationId: 'makeId',
    method: 'post',
    path: '/test/bare',
    summary: 'Takes no body',
    tag: 'Test',
    access: { audience: ['admin'] },
    response: z.object({ id: Uuid }),
  },
  async ({ newId }) => ({ id: newId('bare') }),
);

const routes = [makeEffect('/test/effects'), makeEffect('/test/others'), takesNoBody];

export const countRuns = (name: string) => runs.get(name) ?? 0;
export const countEffects = (name: string) => effects.get(name)?.size ?? 0;

/** A gateway of these routes, to which a request goes under a key. */
export function effectsForTests() {
  const gateway = gatewayForTests({ worker: false, routes });
  return {
    gateway,
    send: (key: string | undefined, body: unknown, path = '/test/effects') =>
      sendRequest(gateway.current.url, 'post', path, {
        key: gateway.current.masterKey,
        headers: key === undefined ? {} : { 'idempotency-key': key },
        body,
      }),
    sql: (text: string) => gateway.current.deps.database.query(statement(`test_${randomUUID()}`, text)),
  };
}
