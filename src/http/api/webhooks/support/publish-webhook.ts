import type { Deps } from '../../../ports.ts';

/** A webhook has changed, or has a new delivery: published to open consoles. */
export const publishWebhook = (
  { changes }: Pick<Deps, 'changes'>,
  { webhook_id, team_id }: { webhook_id: string; team_id: string },
): void => changes.publish('webhooks', { webhook_id, team_id });
