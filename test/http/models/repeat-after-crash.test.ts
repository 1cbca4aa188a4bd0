import { gatewayForTests } from '../../support/gateway.ts';
import { expectOk, givenIn, unique } from '../../support/given.ts';
import { readAudit } from '../../support/read-audit.ts';
import { sendRequest } from '../../support/send-request.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);

const creations = {
  'model-groups': async () => ({ group_name: unique('group'), models: [{ model_name: 'b' }, { model_name: 'a' }] }),
  'model-aliases': async () => ({
    alias_name: unique('alias'),
    model_name: 'sim-ok',
    access_groups: [await given.accessGroup()],
  }),
  'model-access-groups': async () => ({ group_name: unique('access'), model_aliases: [await given.alias()] }),
};

/** As if the process had died between what it did and keeping the answer to it. */
const deleteStoredAnswers = () =>
  gateway.current.deps.database.pool.query(
    'update idempotency_keys set status = null, headers = null, answer_sealed = null, locked_until = null',
  );

test.each(Object.entries(creations))(
  'a creation in %s that is repeated after a crash returns what the first one made (spec 10.8)',
  async (noun, bodyOf) => {
    const body = await bodyOf();
    const create = (idempotencyKey: string) =>
      sendRequest(gateway.current.url, 'post', `/api/${noun}/create`, {
        key: gateway.current.masterKey,
        headers: { 'idempotency-key': idempotencyKey },
        body,
      });
    const key = unique('key');
    const first = expectOk(await create(key));

    await deleteStoredAnswers();

    expect(expectOk(await create(key))).toEqual(first);
    expect((await create(unique('key'))).status).toBe(400);
    const name = 'alias_name' in body ? body.alias_name : body.group_name;
    expect(await readAudit(gateway.current, name)).toHaveLength(1);
  },
);
