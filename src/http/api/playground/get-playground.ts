import { Playground } from '../../../contracts/playground.ts';
import { findTestAccount } from '../../../services/playground/test-account.ts';
import { route } from '../../route.ts';
import { serializeTeam } from '../teams/serialize-team.ts';

export const getPlayground = route(
  {
    operationId: 'getPlayground',
    method: 'get',
    path: '/api/playground',
    summary: 'Show the test account of the playground',
    tag: 'Playground',
    access: { audience: ['admin_user'] },
    limits: { rate: 'management' },
    response: Playground,
  },
  async (context) => {
    const team = await findTestAccount(context);
    return { test_account: team ? serializeTeam(team) : null };
  },
);
