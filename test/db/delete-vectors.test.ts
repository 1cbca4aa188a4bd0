import { createHash } from 'node:crypto';
import { deleteVectors } from '../../src/db/maintenance/delete-vectors.ts';
import { shortenOldAnswers } from '../../src/db/maintenance/long-answers.ts';
import { embedWith, fromBase64, vectorsIn } from '../http/embeddings/embed.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, unique } from '../support/given.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

/** Embeddings whose call ended so many minutes ago. */
async function embedded(team: GivenTeam, minutes: number, headers = {}) {
  const answer = await embedWith(gateway, team)({ input: ['one', 'two'], encoding_format: 'base64' }, headers);
  const vectors = vectorsIn(answer);
  const [job, call] = [answer.headers.get('x-job-id'), answer.headers.get('x-call-id')];
  const { pool } = gateway.current.deps.database;
  const ago = 'now() - make_interval(mins => $2)';
  await pool.query(`update call_payloads set created_at = ${ago} where call_id = $1`, [call, minutes]);
  await pool.query(`update calls set finished_at = ${ago} where call_id = $1`, [call, minutes]);
  const response = async () =>
    expectOk(await as(gateway, team).get(`/api/jobs/${job}/calls/${call}?include=response`)).response;
  return { vectors, response, job, call };
}

const deleteDue = () => deleteVectors(gateway.current.deps.database, 100);

test('vectors are deleted 15 minutes after the end of the call, and their number, dimensions and SHA-256 stay (spec 30.6)', async () => {
  const team = await given.team();
  const [old, young] = [await embedded(team, 16), await embedded(team, 14)];
  const keyed = await embedded(team, 16, { 'idempotency-key': unique('key') });

  expect(await deleteDue()).toBe(1);

  const bytes = Buffer.concat(old.vectors.map((vector: string) => Buffer.from(vector, 'base64')));
  expect(await old.response()).toEqual({
    vectors: 2,
    dimensions: fromBase64(old.vectors[0]).length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  });
  for (const kept of [young, keyed]) expect(await kept.response()).toMatchObject({ embeddings: { vectors: [{}, {}] } });
  expect(await deleteDue()).toBe(0);
});

test('vectors of a call with an Idempotency-Key are deleted after 24 hours, also where long answers are shortened then (spec 30.6)', async () => {
  const team = await given.team();
  const { response } = await embedded(team, 24 * 60 + 1, { 'idempotency-key': unique('key') });

  await shortenOldAnswers(gateway.current.deps.database, 10, () => undefined);
  await deleteDue();

  expect(await response()).toEqual({ vectors: 2, dimensions: 8, sha256: expect.any(String) });
});

test('a call whose vectors were deleted is shown, and its stream is an empty answer or an error, never a failure of the service (spec 30.6)', async () => {
  const team = await given.team();
  const { job, call } = await embedded(team, 16);
  await deleteDue();

  expect(await as(gateway, team).get(`/api/jobs/${job}/calls/${call}`)).toMatchObject({ status: 200 });
  expect((await as(gateway, team).get(`/api/jobs/${job}/calls/${call}/stream`)).status).toBeLessThan(500);
});

test('a failed call of embeddings has nothing to delete, and is looked at once (spec 30.6)', async () => {
  const team = await given.team({ models: ['sim-fail-503'] });
  const failed = await embedWith(gateway, team)();
  const call = failed.headers.get('x-call-id');
  const { pool } = gateway.current.deps.database;
  await pool.query("update call_payloads set created_at = now() - interval '1 hour' where call_id = $1", [call]);
  await pool.query("update calls set finished_at = now() - interval '1 hour' where call_id = $1", [call]);

  expect([await deleteDue(), await deleteDue()]).toEqual([1, 0]);
});
