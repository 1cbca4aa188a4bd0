import type { TeamKey } from '../../../../api/types.ts';

export const resetLabels: Record<NonNullable<TeamKey['limit_reset']>, string> = {
  daily: 'a day',
  weekly: 'a week',
  monthly: 'a month',
};
