import {
  type Addressed,
  as,
  expectOk,
  type GivenTeam,
  givenIn,
  hello,
  singleCallBody,
  unique,
} from '../../support/given.ts';
import { newPassword } from './admins.ts';

export type Sent = [line: string, body: unknown];

export const hook = (team: GivenTeam) => ({
  team_id: team.teamId,
  webhook_url: 'http://127.0.0.1:65001/',
  events: ['job.created'],
});

/** Every request of a team that changes something, on its own job and webhook. */
export async function teamRequests(installation: Addressed, team: GivenTeam): Promise<Sent[]> {
  const given = givenIn(installation);
  const job = `/api/jobs/${await given.job(team)}`;
  const other = `/api/jobs/${await given.job(team)}`;
  const registered = expectOk(await as(installation, team).post('/api/webhooks/register', hook(team)));
  const call = { model_group: team.modelGroup, messages: hello };
  return [
    ['POST /api/jobs/create', { team_id: team.teamId, job_type: 'report' }],
    [`POST ${job}/llm-call`, call],
    [`POST ${job}/llm-call-stream`, call],
    [`POST ${job}/complete`, { status: 'completed' }],
    [`POST ${other}/cancel`, { reason: 'none' }],
    [`PATCH ${job}/metadata`, { metadata: { late: true } }],
    ['POST /api/jobs/create-and-call', singleCallBody(team)],
    ['POST /api/jobs/create-and-call-stream', singleCallBody(team)],
    ['POST /api/webhooks/register', hook(team)],
    [`PATCH /api/webhooks/${registered.webhook_id}`, { webhook_url: 'http://127.0.0.1:65002/' }],
    [`POST /api/webhooks/${registered.webhook_id}/test`, {}],
  ];
}

/** Requests of an admin that change something of the team or the installation. The first four change credits. */
export function adminRequests(team: GivenTeam): Sent[] {
  const path = `/api/teams/${team.teamId}`;
  const user = { email: `${unique('new')}@example.com`, display_name: 'New', password: newPassword() };
  return [
    ['POST /api/credits/add', { team_id: team.teamId, amount: 7 }],
    [`POST /api/credits/teams/${team.teamId}/add`, { credits: 7, reason: 'late' }],
    [`POST ${path}/credits/allocate`, { credits_amount: 7, reason: 'late' }],
    [`POST ${path}/credits/adjust`, { credits_amount: 7, reason: 'late' }],
    [`PATCH /api/credits/teams/${team.teamId}/conversion-rates`, { tokens_per_credit: 1 }],
    ['POST /api/organizations/create', { organization_id: unique('org'), name: 'Late' }],
    ['POST /api/teams/create', { organization_id: team.organizationId, team_id: unique('team'), model_groups: [] }],
    [`PUT ${path}`, { rpm_limit: 1_000 }],
    [`PUT ${path}/model-groups`, { model_groups: [] }],
    [`POST ${path}/rotate-key`, { grace_seconds: 600 }],
    [`POST ${path}/suspend`, {}],
    ['POST /api/model-groups/create', { group_name: unique('group'), display_name: 'Late', models: [] }],
    ['POST /api/webhooks/register', hook(team)],
    ['POST /api/admin-users', { ...user, role: 'user' }],
    ['POST /api/admin-users/me/change-password', { current_password: 'x', new_password: newPassword() }],
  ];
}
