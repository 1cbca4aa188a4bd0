import { asRows } from '../../../api/lists.ts';
import type { AuditEntry } from '../../../api/types.ts';
import { AuditLink } from '../../../components/audit/audit-link.tsx';
import { AuditList } from '../../../components/audit/audit-list.tsx';
import { None, Section } from '../../../components/ui/detail-page.tsx';
import { ChangedRows } from '../../../components/ui/list/list-page.tsx';
import { ofTeamIn } from '../../../components/ui/list/use-following.ts';
import { useList } from '../../../components/ui/list/use-list.ts';

/** Activity, newest first. */
export function TeamActivity({ teamId }: { teamId: string }) {
  const list = useList(
    {
      path: '/api/admin-users/audit-logs',
      key: ['of', teamId],
      query: () => ({ resource_type: 'team', resource_id: teamId }),
      rowsOf: asRows<AuditEntry>,
      counts: true,
    },
    {
      rowId: ({ audit_id }) => audit_id,
      isAbout: ({ teams = [] }) => ofTeamIn(teams, teamId),
      everyMs: 10_000,
    },
  );
  return (
    <Section title="Activity" aside={<AuditLink kind="team" id={teamId} />}>
      <ChangedRows list={list} />
      <AuditList id="team-activity" isFlat table={list.table} empty={<None>Nothing is recorded.</None>} />
    </Section>
  );
}
