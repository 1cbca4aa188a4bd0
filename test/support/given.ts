import { randomBytes } from 'node:crypto';
import { type Answer, type Json, sendRequest } from './send-request.ts';
import { until } from './until.ts';

/** The address and the platform key of a gateway, which runs in this process or in processes of its own. */
export interface Addressed {
  readonly current: { url: string; masterKey: string };
}

export interface GivenTeam {
  organizationId: string;
  teamId: string;
  key: string;
  modelGroup: string;
}

export interface TeamOptions {
  organizationId?: string;
  teamId?: string;
  credits?: number;
  /** The members of the team's own model group, primary first. */
  models?: string[];
  /** Further fields of `POST /api/teams/create`. */
  [field: string]: unknown;
}

export const unique = (prefix: string) => `${prefix}-${randomBytes(5).toString('hex')}`;

/** Creates the resources that a test needs, through the public API. Fields that a test omits have defaults. */
export function givenIn(gateway: Addressed) {
  const admin = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const { url, masterKey } = gateway.current;
    return expectOk(await sendRequest(url, method, path, { key: masterKey, body }));
  };
  const given = {
    admin,
    async organization(organizationId = unique('org')): Promise<string> {
      await admin('post', '/api/organizations/create', { organization_id: organizationId, name: 'An organization' });
      return organizationId;
    },
    async modelGroup(models: string[] = ['sim-ok'], groupName = unique('group')): Promise<string> {
      const members = models.map((model_name, priority) => ({ model_name, priority }));
      await admin('post', '/api/model-groups/create', {
        group_name: groupName,
        display_name: groupName,
        models: members,
      });
      return groupName;
    },
    async accessGroup(): Promise<string> {
      const group_name = unique('access');
      await admin('post', '/api/model-access-groups/create', { group_name });
      return group_name;
    },
    async alias(fields: Fields = {}): Promise<string> {
      const alias_name = unique('alias');
      await admin('post', '/api/model-aliases/create', { alias_name, model_name: 'sim-ok', ...fields });
      return alias_name;
    },
    async team({
      organizationId,
      teamId = unique('team'),
      credits = 5,
      models,
      ...fields
    }: TeamOptions = {}): Promise<GivenTeam> {
      const organization = organizationId ?? (await given.organization());
      const modelGroup = await given.modelGroup(models);
      const created = await admin('post', '/api/teams/create', {
        organization_id: organization,
        team_id: teamId,
        model_groups: [modelGroup],
        credits_allocated: credits,
        ...fields,
      });
      return { organizationId: organization, teamId, key: created.virtual_key, modelGroup };
    },
    /** An open job. Temporal may be too busy for the first one of a file, which is answered 503 and leaves nothing. */
    async job(team: GivenTeam, fields: Fields = {}): Promise<string> {
      const body = { team_id: team.teamId, job_type: 'report', ...fields };
      const create = () => as(gateway, team).post('/api/jobs/create', body);
      const created = await until(create, ({ status }) => status !== 503);
      return expectOk(created).job_id;
    },
  };
  return given;
}

/** The fields are added to the defaults of a body; a field of the same name replaces the default. */
type Fields = Record<string, unknown>;
type HeaderFields = Record<string, string>;

/** The requests of a team with its key. */
export function as(gateway: Addressed, team: GivenTeam) {
  const send = (method: string) => (path: string, body?: unknown, headers?: HeaderFields) =>
    sendRequest(gateway.current.url, method, path, { key: team.key, body, headers });
  const post = send('post');
  return {
    get: (path: string) => send('get')(path),
    post,
    put: send('put'),
    patch: send('patch'),
    delete: (path: string) => send('delete')(path),
    call: (jobId: string, fields: Fields = {}, headers?: HeaderFields) =>
      post(`/api/jobs/${jobId}/llm-call`, callBody(team, fields), headers),
    stream: (jobId: string, fields: Fields = {}, headers?: HeaderFields) =>
      post(`/api/jobs/${jobId}/llm-call-stream`, callBody(team, fields), headers),
    single: (fields: Fields = {}, headers?: HeaderFields) =>
      post('/api/jobs/create-and-call', singleCallBody(team, fields), headers),
    singleStream: (fields: Fields = {}, headers?: HeaderFields) =>
      post('/api/jobs/create-and-call-stream', singleCallBody(team, fields), headers),
    complete: (jobId: string, status: unknown = 'completed', fields: Fields = {}) =>
      post(`/api/jobs/${jobId}/complete`, { status, ...fields }),
    credits: async () => expectOk(await send('get')(`/api/teams/${team.teamId}/credits`)),
  };
}

/** The body of a call in a job of the team. */
const callBody = (team: GivenTeam, fields: Fields) => ({ model_group: team.modelGroup, messages: hello, ...fields });

/** The body of a single-call job of the team. */
export const singleCallBody = (team: GivenTeam, fields: Fields = {}) => ({
  team_id: team.teamId,
  job_type: 'report',
  model: team.modelGroup,
  messages: hello,
  ...fields,
});

export const hello = [{ role: 'user', content: 'Tell me about rivers' }];

/** The body of a 200; any other answer fails the test with its status and text. */
export function expectOk(answer: Answer): Json {
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  return answer.body;
}
