import { once } from 'node:events';
import { connect } from 'node:net';
import { Unavailable } from '../../../src/errors.ts';
import { routes } from '../../../src/http/routes.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { expectOk, type GivenTeam, givenIn } from '../../support/given.ts';
import { rawRequest } from '../../support/raw.ts';
import { sendRequest } from '../../support/send-request.ts';
import { until } from '../../support/until.ts';
import { adminsIn, forAdmins } from '../admin-users/admins.ts';
import { parseCsv, readRows } from './parse-csv.ts';

const gateway = gatewayForTests({ ...forAdmins, worker: false });
const given = givenIn(gateway);
const admins = adminsIn(gateway);

const sql = (text: string, values: unknown[] = []) => gateway.current.deps.database.pool.query(text, values);
const read = (path: string, key = gateway.current.masterKey) => sendRequest(gateway.current.url, 'get', path, { key });

/** Deliveries of which each has its number in `last_error`, a second apart. */
async function givenDeliveries(count: number, body = '{}'): Promise<{ team: GivenTeam; webhook_id: string }> {
  const team = await given.team();
  const { webhook_id } = await given.admin('post', '/api/webhooks/register', {
    team_id: team.teamId,
    webhook_url: 'https://example.com/hook',
    events: ['job.created'],
  });
  await sql(
    `insert into webhook_deliveries (delivery_id, webhook_id, event, body, status, last_error, created_at, finished_at)
     select gen_random_uuid(), $1, 'job.created', $3, 'exhausted', n::text,
            timestamptz '2026-01-01Z' + n * interval '1 second', now()
       from generate_series(1, $2::int) n`,
    [webhook_id, count, body],
  );
  return { team, webhook_id };
}

/** A page of such rows is more than the buffers of a connection hold. */
const manyBytes = JSON.stringify({ text: 'x'.repeat(9_000) });

/** `/api/jobs` has the rows of the first, with a filter; the others have the form of a provider. */
const withoutFile = new Set(['/api/teams/{team_id}/jobs', '/v1/models', '/v1/responses/{response_id}/input_items']);
const files = routes.map(({ spec }) => spec).filter(({ csv }) => csv);

test('every list can be requested as a CSV file', () => {
  const lists = routes
    .map(({ spec }) => spec)
    .filter(({ method, query }) => method === 'get' && query && 'limit' in query.shape);

  const without = lists.filter(({ csv, path }) => !csv && !withoutFile.has(path));
  expect(without.map(({ path }) => path)).toEqual([]);
  for (const { query, limits } of files)
    expect([limits?.place, Object.keys(query!.shape)]).toEqual(['lists', expect.arrayContaining(['format', 'tz'])]);
});

test('the CSV file of each list has the rows of its JSON, with the names of their fields (spec 19.66)', async () => {
  const { token } = await admins.owner();
  const { team, webhook_id } = await givenDeliveries(3);
  await given.alias();
  await given.accessGroup();
  const { rows: jobs } = await sql(
    `insert into jobs (job_id, team_id, organization_id, job_type) values (gen_random_uuid(), $1, $2, 'report') returning job_id`,
    [team.teamId, team.organizationId],
  );
  const { job_id } = jobs[0];
  const ids: Record<string, string> = {
    team_id: team.teamId,
    organization_id: team.organizationId,
    webhook_id,
    job_id,
  };
  expect(files.length).toBeGreaterThan(12);

  for (const { path, csv } of files) {
    const key = path.startsWith('/api/admin-users') ? token : gateway.current.masterKey;
    const at = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name]!);
    const needed: Record<string, string> = {
      '/api/credits/transactions': `?team_id=${team.teamId}&`,
      '/api/teams/{team_id}/statement': '?period=2026-01&',
    };
    const query = needed[path] ?? '?';
    const json = csv!.rows(expectOk(await read(`${at}${query}`, key)) as never) as Record<string, unknown>[];
    const { status, headers, text } = await read(`${at}${query}format=csv`, key);

    expect([path, status]).toEqual([path, 200]);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="[A-Za-z0-9._+-]+\.csv"$/);
    const rows = readRows(text);
    expect([path, rows.length]).toEqual([path, json.length]);
    for (const [index, row] of json.entries())
      for (const [name, value] of Object.entries(row))
        if (['string', 'number', 'boolean'].includes(typeof value) && !/^at$|_at$|_since$|^last_login$/.test(name))
          expect([path, name, rows[index]![name]]).toEqual([path, name, String(value)]);
  }
});

test('a CSV file has every row to the end of the list, whatever the limit of a page is (spec 19.66)', async () => {
  const { webhook_id } = await givenDeliveries(2_345);

  const { text } = await read(`/api/deliveries?webhook_id=${webhook_id}&format=csv&limit=3`);

  expect(readRows(text).map(({ last_error }) => last_error)).toEqual(
    Array.from({ length: 2_345 }, (_, n) => String(2_345 - n)),
  );
});

test('the CSV file of an empty list has the names of its columns', async () => {
  const { webhook_id } = await givenDeliveries(0);

  const { text } = await read(`/api/webhooks/${webhook_id}/deliveries?format=csv`);

  expect(parseCsv(text)).toEqual([
    [
      'delivery_id',
      'webhook_id',
      'event',
      'job_id',
      'status',
      'attempts',
      'last_status_code',
      'last_error',
      'created_at',
      'finished_at',
      'payload',
      'last_error_code',
    ],
  ]);
});

test('a CSV file begins at the cursor of its request, and its file name has filter and range (spec 19.66)', async () => {
  const { webhook_id } = await givenDeliveries(5);
  const query = `webhook_id=${webhook_id}&from=2026-01-01&to=2026-01-02`;
  const { next_cursor } = expectOk(await read(`/api/deliveries?${query}&limit=3`));

  const { text, headers } = await read(`/api/deliveries?${query}&cursor=${next_cursor}&format=csv&tz=Europe/Berlin`);

  expect(readRows(text).map(({ last_error, created_at }) => [last_error, created_at])).toEqual([
    ['2', '2026-01-01T01:00:02.000+01:00'],
    ['1', '2026-01-01T01:00:01.000+01:00'],
  ]);
  expect(headers.get('content-disposition')).toBe(
    `attachment; filename="deliveries_from-2026-01-01_to-2026-01-02_webhook_id-${webhook_id}.csv"`,
  );
});

test('a name that a spreadsheet would execute is plain text in the CSV file, and unchanged in JSON', async () => {
  const alias = '=HYPERLINK("https://example.com"),x';
  const team = await given.team({ team_alias: alias });

  const [json, csv] = [await read(`/api/teams?q=${team.teamId}`), await read(`/api/teams?q=${team.teamId}&format=csv`)];

  expect(expectOk(json).teams[0].team_alias).toBe(alias);
  expect(readRows(csv.text)[0]!.team_alias).toBe(`'${alias}`);
});

test.each(['tz=Mars/Olympus', 'tz=', 'format=xls', `tz=${'x'.repeat(100)}`, 'format=csv&limit=0'])(
  'a CSV file with %s is refused with 422, as JSON',
  async (query) => {
    const { status, body } = await read(`/api/transactions?${query}`);

    expect([status, body.detail[0].loc[0]]).toEqual([422, 'query']);
  },
);

test('when the client of a CSV file has left, no further page of the list is read', async () => {
  const { webhook_id } = await givenDeliveries(5_000, manyBytes);
  const { reports } = gateway.current.deps.database;
  let pages = 0;
  const { query } = reports;
  reports.query = (...read) => {
    pages += 1;
    return query(...read);
  };
  const { hostname, port } = new URL(gateway.current.url);
  const socket = connect(Number(port), hostname);
  const headers = { Host: 'localhost', Authorization: `Bearer ${gateway.current.masterKey}` };
  socket.write(rawRequest(`GET /api/deliveries?webhook_id=${webhook_id}&format=csv`, headers));
  await once(socket, 'readable');

  socket.destroy();
  await until(async () => (await read('/api/webhooks?limit=1')).status === 200);
  await until(async () => gateway.current.deps.database.reports.pool.idleCount === reports.pool.totalCount);

  reports.query = query;
  // Of the five pages of the file, and one of the webhooks.
  expect(pages).toBeLessThanOrEqual(4);
});

test('a page of a CSV file that cannot be read for a moment is read again, and the file is complete', async () => {
  const { webhook_id } = await givenDeliveries(1_500);
  const { reports } = gateway.current.deps.database;
  const { query } = reports;
  let pages = 0;
  reports.query = (...read) => {
    pages += 1;
    return pages === 2 ? Promise.reject(new Unavailable('database')) : query(...read);
  };

  const { text } = await read(`/api/deliveries?webhook_id=${webhook_id}&format=csv`);

  reports.query = query;
  expect(readRows(text)).toHaveLength(1_500);
  expect(pages).toBe(3);
});

test('a CSV file that cannot be completed ends without the end of its body (spec 19.66)', async () => {
  const { team, webhook_id } = await givenDeliveries(5_000, manyBytes);
  const response = await fetch(`${gateway.current.url}/api/deliveries?webhook_id=${webhook_id}&format=csv`, {
    headers: { authorization: `Bearer ${team.key}` },
  });
  expect(response.status).toBe(200);

  await given.admin('post', `/api/teams/${team.teamId}/suspend`);

  await expect(response.text()).rejects.toThrow('terminated');
});

test('the CSV file of each list is UTF-8 with one byte order mark, so that a spreadsheet shows letters beyond ASCII (spec 19.67)', async () => {
  const alias = 'тип №1, ü; é';
  const { teamId } = await given.team({ team_alias: alias });

  const response = await fetch(`${gateway.current.url}/api/teams?q=${teamId}&format=csv`, {
    headers: { Authorization: `Bearer ${gateway.current.masterKey}` },
  });
  const bytes = Buffer.from(await response.arrayBuffer());

  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(bytes.indexOf(bytes.subarray(0, 3), 3)).toBe(-1);
  expect(bytes.toString()).toContain(`"${alias}"`);
});

test('a HEAD request for a CSV file has the headers of the file and reads one page', async () => {
  const { webhook_id } = await givenDeliveries(1_500);

  const { status, headers, text } = await sendRequest(
    gateway.current.url,
    'head',
    `/api/deliveries?webhook_id=${webhook_id}&format=csv`,
    { key: gateway.current.masterKey },
  );

  expect([status, text]).toEqual([200, '']);
  expect(headers.get('content-disposition')).toContain('deliveries_webhook_id');
});
