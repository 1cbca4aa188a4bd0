import { z } from 'zod';
import { CallerId, JsonObject, Limit, optional, Uuid } from '../../../src/contracts/fields.ts';
import { route } from '../../../src/http/route.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { sendRequest } from '../../support/send-request.ts';

const Thing = z.object({
  team_id: CallerId,
  count: optional(z.int().min(0)),
  metadata: optional(JsonObject),
  many: optional(z.array(z.string())),
});

const echo = route(
  {
    operationId: 'echo',
    method: 'post',
    path: '/test/echo',
    summary: 'Returns a part of what arrived',
    tag: 'Test',
    access: { audience: ['admin'] },
    body: { schema: Thing },
    response: z.object({ team_id: z.string() }),
  },
  async ({ body }) => ({ team_id: body.team_id }),
);
const large = { ...echo, spec: { ...echo.spec, path: '/test/large', makesCall: true } };
const open = { ...echo, spec: { ...echo.spec, path: '/test/open', access: { audience: [] } } };
const show = route(
  {
    operationId: 'echoThing',
    method: 'get',
    path: '/test/things/{job_id}',
    summary: 'Shows one',
    tag: 'Test',
    access: { audience: ['admin'] },
    params: z.object({ job_id: Uuid }),
    query: z.object({ limit: Limit, text: optional(z.string()) }),
    response: z.object({ job_id: z.string(), limit: z.number() }),
  },
  async ({ params, query }) => ({ job_id: params.job_id, limit: query.limit }),
);

const bare = route(
  {
    operationId: 'makeThing',
    method: 'post',
    path: '/test/bare',
    summary: 'Takes no body',
    tag: 'Test',
    access: { audience: ['admin'] },
    response: z.object({ id: z.string() }),
  },
  async ({ newId }) => ({ id: newId('bare') }),
);

/** A gateway with routes that return what arrived, for tests of what is common to all requests. */
export function echoGateway() {
  // Not on a loopback address, where other hosts than loopback names are refused.
  const settings = { HOST: '0.0.0.0' };
  const gateway = gatewayForTests({ worker: false, settings, routes: [echo, large, open, show, bare] });
  const url = () => gateway.current.url;
  const key = () => gateway.current.masterKey;
  return {
    url,
    key,
    post: (raw: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}, path = '/test/echo') =>
      sendRequest(url(), 'post', path, {
        key: key(),
        raw,
        headers: { 'content-type': 'application/json', ...headers },
      }),
    get: (path: string) => sendRequest(url(), 'get', path, { key: key() }),
  };
}

export const jobId = '0b0e3c4a-8a50-4f9c-9a05-3f4a2c1d5e6f';
