import type { Webhook } from '../../api/types.ts';

/** What a webhook is to the reader: a word of `Status`. */
export const stateOf = ({ is_active, failing_since }: Webhook): 'failing' | 'active' | 'inactive' =>
  is_active === 0 ? 'inactive' : failing_since ? 'failing' : 'active';
