import type { Gateway } from './gateway.ts';

/** The audit entries of one resource, newest first. */
export async function readAudit(gateway: Gateway, resourceId: string) {
  const result = await gateway.deps.database.pool.query(
    'select action, resource_type, user_id, details from audit_log where resource_id = $1 order by position desc',
    [resourceId],
  );
  return result.rows as { action: string; resource_type: string; user_id: string | null; details: unknown }[];
}
