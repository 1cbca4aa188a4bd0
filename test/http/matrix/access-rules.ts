/** Who may do what, from `spec 2`, written down apart from the routes: a route that is not here fails. */
export type Access = 'everybody' | 'anybody' | 'team' | 'team or admin' | 'admin' | 'admin user' | 'any user';

/** What the request names, and so what another team's key is measured by. */
export type Named = 'team' | 'organization' | 'nothing';

export const accessRules: Record<string, [Access, Named]> = {
  'get /health': ['everybody', 'nothing'],
  'get /health/live': ['everybody', 'nothing'],
  'get /health/ready': ['everybody', 'nothing'],
  'get /metrics': ['admin', 'nothing'],

  'post /api/organizations/create': ['admin', 'organization'],
  'get /api/organizations': ['admin', 'nothing'],
  'get /api/organizations/{organization_id}': ['team or admin', 'organization'],
  'put /api/organizations/{organization_id}': ['admin', 'organization'],
  'get /api/organizations/{organization_id}/teams': ['team or admin', 'organization'],
  'get /api/organizations/{organization_id}/usage': ['team or admin', 'organization'],

  'post /api/teams/create': ['admin', 'team'],
  'get /api/teams': ['admin', 'nothing'],
  'get /api/teams/{team_id}': ['team or admin', 'team'],
  'put /api/teams/{team_id}': ['admin', 'team'],
  'put /api/teams/{team_id}/model-groups': ['admin', 'team'],
  'post /api/teams/{team_id}/suspend': ['admin', 'team'],
  'post /api/teams/{team_id}/resume': ['admin', 'team'],
  'post /api/teams/{team_id}/rotate-key': ['admin', 'team'],
  'post /api/teams/{team_id}/end-previous-keys': ['admin', 'team'],
  'post /api/teams/{team_id}/reveal-key': ['admin', 'team'],
  'post /api/teams/{team_id}/view': ['admin user', 'team'],
  'delete /api/teams/{team_id}/view': ['admin user', 'team'],
  'post /api/teams/{team_id}/erase': ['team or admin', 'team'],
  'post /api/teams/{team_id}/keys': ['admin', 'team'],
  'get /api/teams/{team_id}/keys': ['admin', 'team'],
  'patch /api/teams/{team_id}/keys/{key_id}': ['admin', 'team'],
  'delete /api/teams/{team_id}/keys/{key_id}': ['admin', 'team'],
  'get /api/teams/{team_id}/usage': ['team or admin', 'team'],
  'get /api/teams/{team_id}/statement': ['team or admin', 'team'],
  'get /api/teams/{team_id}/models': ['team or admin', 'team'],
  'get /api/teams/{team_id}/burn-rate': ['team or admin', 'team'],
  'get /api/usage/series': ['team or admin', 'nothing'],
  'get /api/usage/margins': ['admin', 'nothing'],
  'get /api/usage/models': ['admin', 'nothing'],
  'get /api/usage/errors': ['team or admin', 'nothing'],
  'get /api/usage/errors/calls': ['team or admin', 'nothing'],
  'get /api/filter-values': ['team or admin', 'nothing'],
  'get /api/overview': ['team or admin', 'nothing'],
  'get /api/attention': ['admin', 'nothing'],
  'get /api/live': ['admin', 'nothing'],
  'get /api/system': ['admin', 'nothing'],
  'get /api/teams/{team_id}/jobs': ['team or admin', 'team'],

  'get /api/teams/{team_id}/credits': ['team or admin', 'team'],
  'get /api/teams/{team_id}/credits/transactions': ['team or admin', 'team'],
  'post /api/teams/{team_id}/credits/allocate': ['admin', 'team'],
  'post /api/teams/{team_id}/credits/adjust': ['admin', 'team'],
  'post /api/teams/{team_id}/credits/refund': ['admin', 'team'],
  'post /api/credits/teams/{team_id}/add': ['admin', 'team'],
  'post /api/credits/add': ['admin', 'team'],
  'get /api/credits/balance': ['team or admin', 'team'],
  'get /api/credits/transactions': ['team or admin', 'team'],
  'get /api/transactions': ['team or admin', 'nothing'],
  'get /api/ledger/check': ['admin', 'nothing'],
  'get /api/credits/teams/{team_id}/conversion-rates': ['admin', 'team'],
  'patch /api/credits/teams/{team_id}/conversion-rates': ['admin', 'team'],

  'get /api/job-types': ['admin', 'nothing'],
  'get /api/job-types/{job_type}': ['admin', 'nothing'],
  'put /api/job-types/{job_type}': ['admin', 'nothing'],
  'delete /api/job-types/{job_type}': ['admin', 'nothing'],
  'get /api/teams/{team_id}/job-types': ['team or admin', 'team'],
  'get /api/teams/{team_id}/job-types/{job_type}': ['team or admin', 'team'],
  'put /api/teams/{team_id}/job-types/{job_type}': ['admin', 'team'],
  'delete /api/teams/{team_id}/job-types/{job_type}': ['admin', 'team'],

  'post /api/jobs/create': ['team', 'team'],
  'post /api/jobs/create-and-call': ['team', 'team'],
  'post /api/jobs/create-and-call-stream': ['team', 'team'],
  'get /api/jobs': ['team or admin', 'nothing'],
  'get /api/jobs/{job_id}': ['team or admin', 'team'],
  'delete /api/jobs/{job_id}/payloads': ['team or admin', 'team'],
  'get /api/jobs/{job_id}/costs': ['team or admin', 'team'],
  'get /api/jobs/histogram': ['team or admin', 'nothing'],
  'get /api/jobs/totals': ['team or admin', 'nothing'],
  'get /api/jobs/{job_id}/timeline': ['team or admin', 'team'],
  'get /api/jobs/{job_id}/calls': ['team or admin', 'team'],
  'get /api/jobs/{job_id}/calls/{call_id}/stream': ['team or admin', 'team'],
  'get /api/jobs/{job_id}/calls/{call_id}': ['team or admin', 'team'],
  'post /api/jobs/{job_id}/calls/{call_id}/stop': ['team or admin', 'team'],
  'get /api/search': ['team or admin', 'nothing'],
  'patch /api/jobs/{job_id}/metadata': ['team', 'team'],
  'patch /api/jobs/{job_id}/budget': ['team or admin', 'team'],
  'post /api/jobs/{job_id}/llm-call': ['team', 'team'],
  'post /api/jobs/{job_id}/llm-call-stream': ['team', 'team'],
  'post /api/jobs/{job_id}/complete': ['team', 'team'],
  'post /api/jobs/{job_id}/cancel': ['team or admin', 'team'],
  'post /api/jobs/cancel': ['team or admin', 'nothing'],

  'post /v1/chat/completions': ['team', 'nothing'],
  'post /v1/messages': ['team', 'nothing'],
  'post /v1/messages/count_tokens': ['team', 'nothing'],
  'post /v1/responses': ['team', 'nothing'],
  'post /v1/responses/input_tokens': ['team', 'nothing'],
  'get /v1/responses/{response_id}': ['team', 'nothing'],
  'delete /v1/responses/{response_id}': ['team', 'nothing'],
  'get /v1/responses/{response_id}/input_items': ['team', 'nothing'],
  'post /v1/responses/{response_id}/cancel': ['team', 'nothing'],
  'post /v1/embeddings': ['team', 'nothing'],
  'get /v1/models': ['team', 'nothing'],
  'get /v1/models/{model}': ['team', 'nothing'],

  'post /api/model-groups/create': ['admin', 'nothing'],
  'get /api/model-groups': ['admin', 'nothing'],
  'get /api/model-groups/{group_name}': ['admin', 'nothing'],
  'put /api/model-groups/{group_name}': ['admin', 'nothing'],
  'delete /api/model-groups/{group_name}': ['admin', 'nothing'],
  'get /api/model-groups/{group_name}/resolve': ['admin', 'nothing'],
  'get /api/upstream-models': ['admin', 'nothing'],
  'get /api/playground': ['admin user', 'nothing'],
  'post /api/playground/run': ['admin user', 'nothing'],
  'post /api/model-aliases/create': ['admin', 'nothing'],
  'get /api/model-aliases': ['admin', 'nothing'],
  'get /api/model-aliases/{alias_name}': ['admin', 'nothing'],
  'put /api/model-aliases/{alias_name}': ['admin', 'nothing'],
  'delete /api/model-aliases/{alias_name}': ['admin', 'nothing'],
  'post /api/model-access-groups/create': ['admin', 'nothing'],
  'get /api/model-access-groups': ['admin', 'nothing'],
  'get /api/model-access-groups/{group_name}': ['admin', 'nothing'],
  'put /api/model-access-groups/{group_name}': ['admin', 'nothing'],
  'delete /api/model-access-groups/{group_name}': ['admin', 'nothing'],

  'post /api/webhooks/register': ['team or admin', 'team'],
  'get /api/webhooks': ['team or admin', 'team'],
  'get /api/webhooks/{webhook_id}': ['team or admin', 'team'],
  'patch /api/webhooks/{webhook_id}': ['team or admin', 'team'],
  'delete /api/webhooks/{webhook_id}': ['team or admin', 'team'],
  'get /api/webhooks/{webhook_id}/deliveries': ['team or admin', 'team'],
  'post /api/webhooks/{webhook_id}/test': ['team or admin', 'team'],
  'post /api/webhooks/deliveries/{delivery_id}/redeliver': ['team or admin', 'team'],
  'post /api/webhooks/{webhook_id}/redeliver-failed': ['team or admin', 'team'],
  'post /api/deliveries/redeliver': ['team or admin', 'nothing'],
  'get /api/deliveries': ['team or admin', 'nothing'],
  'get /api/deliveries/{delivery_id}': ['team or admin', 'team'],

  'get /api/views': ['admin', 'nothing'],
  'post /api/views': ['admin', 'nothing'],
  'put /api/views/{view_id}': ['admin', 'nothing'],
  'delete /api/views/{view_id}': ['admin', 'nothing'],

  'get /api/admin-users/setup/status': ['everybody', 'nothing'],
  'post /api/admin-users/setup': ['everybody', 'nothing'],
  'post /api/admin-users/login': ['everybody', 'nothing'],
  'post /api/admin-users/logout': ['any user', 'nothing'],
  'get /api/admin-users/me': ['any user', 'nothing'],
  'delete /api/admin-users/me': ['any user', 'nothing'],
  'get /api/admin-users/invitations': ['admin user', 'nothing'],
  'post /api/admin-users/invitations': ['admin user', 'nothing'],
  'post /api/admin-users/invitations/read': ['everybody', 'nothing'],
  'post /api/admin-users/invitations/accept': ['everybody', 'nothing'],
  'post /api/admin-users/invitations/{invitation_id}/renew': ['admin user', 'nothing'],
  'delete /api/admin-users/invitations/{invitation_id}': ['admin user', 'nothing'],
  'get /api/admin-users': ['admin user', 'nothing'],
  'post /api/admin-users': ['admin user', 'nothing'],
  'put /api/admin-users/{user_id}': ['admin user', 'nothing'],
  'delete /api/admin-users/{user_id}': ['admin user', 'nothing'],
  'post /api/admin-users/{user_id}/change-password': ['any user', 'nothing'],
  'post /api/admin-users/me/second-factor': ['any user', 'nothing'],
  'post /api/admin-users/me/second-factor/confirm': ['any user', 'nothing'],
  'post /api/admin-users/me/second-factor/disable': ['any user', 'nothing'],
  'delete /api/admin-users/{user_id}/second-factor': ['admin user', 'nothing'],
  'get /api/admin-users/audit-logs': ['admin user', 'nothing'],
  'get /api/admin-users/me/sessions': ['any user', 'nothing'],
  'delete /api/admin-users/me/sessions': ['any user', 'nothing'],
  'delete /api/admin-users/me/sessions/{session_id}': ['any user', 'nothing'],

  'post /api/session': ['everybody', 'nothing'],
  'get /api/session': ['anybody', 'nothing'],
  'delete /api/session': ['anybody', 'nothing'],
  'get /api/events': ['team or admin', 'nothing'],
};

export type Who =
  /** none, malformed, unknown, expired, revoked, forged */
  | 'nobody'
  | 'own team'
  /** another team of the same organization */
  | 'sibling team'
  | 'foreign team'
  | 'suspended team'
  | 'platform key'
  | 'owner'
  | 'admin'
  | 'user';

/** `allowed`: whatever it comes to, it is neither for want of a credential nor of a right. */
export type Outcome = 401 | 403 | 'allowed';

const byAccess: Record<
  Exclude<Access, 'everybody'>,
  Record<'team key' | 'platform key' | 'owner' | 'admin' | 'user', Outcome>
> = {
  anybody: { 'team key': 'allowed', 'platform key': 'allowed', owner: 'allowed', admin: 'allowed', user: 'allowed' },
  team: { 'team key': 'allowed', 'platform key': 403, owner: 403, admin: 403, user: 403 },
  'team or admin': { 'team key': 'allowed', 'platform key': 'allowed', owner: 'allowed', admin: 'allowed', user: 403 },
  admin: { 'team key': 401, 'platform key': 'allowed', owner: 'allowed', admin: 'allowed', user: 403 },
  'admin user': { 'team key': 401, 'platform key': 401, owner: 'allowed', admin: 'allowed', user: 403 },
  'any user': { 'team key': 401, 'platform key': 401, owner: 'allowed', admin: 'allowed', user: 'allowed' },
};

/** What the key of a team comes to where keys of teams are taken. */
const byTeam: Record<'own team' | 'sibling team' | 'foreign team' | 'suspended team', Record<Named, Outcome>> = {
  'own team': { team: 'allowed', organization: 'allowed', nothing: 'allowed' },
  'sibling team': { team: 403, organization: 'allowed', nothing: 'allowed' },
  'foreign team': { team: 403, organization: 403, nothing: 'allowed' },
  'suspended team': { team: 403, organization: 403, nothing: 403 },
};

export function expected(who: Who, [access, named]: [Access, Named]): Outcome {
  if (access === 'everybody') return 'allowed';
  if (who === 'nobody') return 401;
  if (!(who in byTeam)) return byAccess[access][who as 'user'];
  const asTeam = byAccess[access]['team key'];
  return asTeam === 'allowed' ? byTeam[who as 'own team'][named] : asTeam;
}
