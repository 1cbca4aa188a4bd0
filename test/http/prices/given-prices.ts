import { asAdmin } from '../../support/as-admin.ts';
import type { Gateway } from '../../support/gateway.ts';
import { expectOk } from '../../support/given.ts';
import type { Json } from '../../support/send-request.ts';

/** Sets the row of the price list of a team, or with null of all teams. */
export async function setPrice(
  gateway: { readonly current: Gateway },
  teamId: string | null,
  jobType: string,
  row: Record<string, unknown>,
): Promise<Json> {
  const path = `/job-types/${encodeURIComponent(jobType)}`;
  return expectOk(await asAdmin(gateway).put(teamId === null ? `/api${path}` : `/api/teams/${teamId}${path}`, row));
}
