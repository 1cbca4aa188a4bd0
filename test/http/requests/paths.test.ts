import { sendRequest } from '../../support/send-request.ts';
import { echoGateway, jobId } from './echo-gateway.ts';

const { url, key, get } = echoGateway();

test.each([['not-a-uuid'], ['%00'], ['..%2f'], ['g'.repeat(36)], [`${jobId}0`], [`{${jobId}}`], ['%20']])(
  'the job_id %s is a 422',
  async (id) => {
    const answer = await get(`/test/things/${id}`);

    expect(answer).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['path', 'job_id'], type: 'uuid_parsing' }] },
    });
  },
);

test('a UUID in upper case in a path is the same id (spec 1.9)', async () => {
  expect((await get(`/test/things/${jobId.toUpperCase()}`)).body.job_id).toBe(jobId);
});

test.each(['%zz', '%ff', '%', 'a%2', '%c3%28'])(
  'the invalid percent-encoding %s in a path is refused after method and credential are checked (spec 1.2)',
  async (id) => {
    const path = `/test/things/${id}`;
    const headers = { 'content-type': 'application/json' };

    const item = { loc: ['path', 'job_id'], msg: 'Input should be valid percent-encoding', type: 'value_error' };
    expect(await get(path)).toMatchObject({ status: 422, body: { detail: [item] } });
    expect((await sendRequest(url(), 'get', path)).status).toBe(401);
    expect((await sendRequest(url(), 'post', path, { headers, raw: '{' })).headers.get('allow')).toBe('GET, HEAD');
    expect((await get(`/test/nowhere/${id}`)).status).toBe(404);
  },
);

test.each([
  ['0', 'greater_than_equal'],
  ['-1', 'greater_than_equal'],
  ['1000000000', 'less_than_equal'],
  ['1e18', 'int_parsing'],
  ['1.5', 'int_parsing'],
  ['ten', 'int_parsing'],
  ['', 'int_parsing'],
  ['0x10', 'int_parsing'],
  ['1&limit=2', 'int_parsing'],
])('the query limit=%s is a 422 (spec 1.7)', async (limit, type) => {
  const answer = await get(`/test/things/${jobId}?limit=${limit}`);

  expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['query', 'limit'], type }] } });
});

test.each(['limit[]=1', 'limit[a]=1'])('the query %s is a 422', async (query) => {
  expect(await get(`/test/things/${jobId}?${query}`)).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ['query', 'limit'], type: 'int_parsing' }] },
  });
});

test('NUL in a query is a 422, and all problems of a request are reported at once (spec 1.3)', async () => {
  expect(await get(`/test/things/${jobId}?text=%00`)).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ['query', 'text'] }] },
  });
  expect((await get('/test/things/x?limit=0')).body.detail).toMatchObject([
    { loc: ['path', 'job_id'] },
    { loc: ['query', 'limit'] },
  ]);
});

test('an unknown path is a 404, a wrong method a 405 with Allow (spec 1.2)', async () => {
  const nowhere = await get('/nowhere');
  const wrong = await sendRequest(url(), 'delete', `/test/things/${jobId}`);

  expect(nowhere).toMatchObject({ status: 404, body: { detail: 'Not Found: /openapi.json lists every path' } });
  expect(wrong).toMatchObject({ status: 405, body: { detail: 'Method Not Allowed: this path takes GET, HEAD' } });
  expect(wrong.headers.get('allow')).toBe('GET, HEAD');
  expect((await sendRequest(url(), 'options', '/test/echo')).status).toBe(405);
  expect((await sendRequest(url(), 'get', '/test/echo')).headers.get('allow')).toBe('POST');
});

test('HEAD has the answer of GET without the body (spec 1.17)', async () => {
  const answer = await sendRequest(url(), 'head', `/test/things/${jobId}`, { key: key() });

  expect(answer).toMatchObject({ status: 200, text: '' });
});
