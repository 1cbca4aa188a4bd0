import type { Webhook } from '../../api/types.ts';

/** The state of a webhook, as `Status` shows it. */
export const stateOf = ({ is_active, failing_since }: Webhook): 'failing' | 'active' | 'inactive' =>
  is_active === 0 ? 'inactive' : failing_since ? 'failing' : 'active';
