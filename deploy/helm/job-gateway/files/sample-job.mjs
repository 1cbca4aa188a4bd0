// `helm test`: one job, from the team's key to the charge, through the Service.
import { readFileSync } from 'node:fs';
import { request } from 'node:http';

const { GATEWAY_URL, MASTER_KEY_FILE, MODEL } = process.env;
if (!MODEL) throw new Error('set test.model to a model of the upstream');
const masterKey = readFileSync(MASTER_KEY_FILE, 'utf8').trim();
const name = 'helm-test';

/** The host is a loopback name, which is served whatever ALLOWED_HOSTS is. */
const send = (method, path, body, key = masterKey) =>
  new Promise((resolve, reject) => {
    const headers = { host: 'localhost', authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const sent = request(GATEWAY_URL + path, { method, headers, timeout: 120_000 }, async (answer) => {
      const text = (await answer.setEncoding('utf8').toArray()).join('');
      console.log(`${method} ${path} ${answer.statusCode}`);
      resolve({ status: answer.statusCode, text, body: JSON.parse(text) });
    });
    sent.on('error', reject).on('timeout', () => sent.destroy(new Error(`${path}: no answer in two minutes`)));
    sent.end(body && JSON.stringify(body));
  });

function expect({ status, text, body }, ...statuses) {
  if (!statuses.includes(status)) throw new Error(`unexpected answer: ${status} ${text.slice(0, 500)}`);
  return body;
}

// 400: an earlier test has made it.
const models = [{ model_name: MODEL, priority: 0 }];
expect(await send('POST', '/api/organizations/create', { organization_id: name, name: 'helm test' }), 200, 400);
const group = await send('POST', '/api/model-groups/create', { group_name: name, display_name: 'helm test', models });
if (group.status !== 200) expect(await send('PUT', `/api/model-groups/${name}`, { models }), 200);
const team = { organization_id: name, team_id: name, model_groups: [name], credits_allocated: 0 };
expect(await send('POST', '/api/teams/create', team), 200, 400);
const more = { credits_amount: 1, reason: 'helm test' };
expect(await send('POST', `/api/teams/${name}/credits/allocate`, more), 200);

const account = async () => expect(await send('GET', `/api/teams/${name}`), 200).credits;
const before = await account();
const job = {
  team_id: name,
  job_type: 'helm_test',
  model: name,
  messages: [{ role: 'user', content: 'Say hello.' }],
};
expect(await send('POST', '/api/jobs/create-and-call', job, before.virtual_key), 200);
const charged = (await account()).credits_used - before.credits_used;
if (charged !== 1) throw new Error(`the job was charged ${charged} credits`);
console.log('one job, one credit');
