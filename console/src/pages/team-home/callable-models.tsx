import { useQuery } from '@tanstack/react-query';
import { modelsOfTeamQuery } from '../../api/teams.ts';
import type { ModelOfTeam } from '../../api/types.ts';
import { None, Section } from '../../components/ui/detail-page.tsx';
import { Id } from '../../components/ui/id.tsx';
import { ProblemNote } from '../../components/ui/problem-note.tsx';
import type { Column } from '../../components/ui/table/column.ts';
import { DataTable } from '../../components/ui/table/data-table.tsx';
import { formatNumber } from '../../format/number.ts';

/** What a call with this name accepts beside the common fields. */
const accepts = ({ max_output_tokens, extra_fields, blocked_fields }: ModelOfTeam): string =>
  [
    max_output_tokens === null ? 'answers of any length' : `answers of up to ${formatNumber(max_output_tokens)} tokens`,
    extra_fields.length > 0 && `also ${extra_fields.join(', ')}`,
    blocked_fields.length > 0 && `not ${blocked_fields.join(', ')}`,
  ]
    .filter(Boolean)
    .join('; ');

const columns: Column<ModelOfTeam>[] = [
  { id: 'name', header: 'Name', isAlways: true, cell: ({ name }) => <Id id={name} whole /> },
  { id: 'kind', header: 'Kind', width: 90, from: 720, cell: ({ kind }) => kind },
  {
    id: 'for',
    header: 'For',
    from: 720,
    cell: ({ display_name, description, name }) => description ?? (display_name === name ? '' : display_name) ?? '',
  },
  { id: 'accepts', header: 'Accepts', cell: accepts },
];

/** The names that the team can call; never the models behind them. */
export function CallableModels({ teamId }: { teamId: string }) {
  const { data, error, refetch } = useQuery(modelsOfTeamQuery(teamId));
  return (
    <Section title="Models you may call">
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data && (
        <DataTable
          id="callable-models"
          label="Models you may call"
          isFlat
          columns={columns}
          rows={data.models}
          rowId={({ name }) => name}
          empty={<None>None yet: the operator assigns model groups.</None>}
        />
      )}
    </Section>
  );
}
