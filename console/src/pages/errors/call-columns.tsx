import { Link } from '@tanstack/react-router';
import type { FailedCall } from '../../api/types.ts';
import { kindLabels } from '../../components/errors/error-filters.ts';
import { TeamLink } from '../../components/teams/team-link.tsx';
import type { FactList } from '../../components/ui/facts.tsx';
import { Id } from '../../components/ui/id.tsx';
import { Missing } from '../../components/ui/money.tsx';
import { Status } from '../../components/ui/status.tsx';
import type { Column } from '../../components/ui/table/column.ts';
import { Age, Time } from '../../components/ui/time.tsx';

type CallError = FailedCall['errors'][number];

const words = (errors: readonly CallError[], of: (error: CallError) => string | number | null | undefined): string =>
  [...new Set(errors.map(of).filter((one) => one !== null && one !== undefined))].join(', ');

export function callColumns(isAdmin: boolean): Column<FailedCall>[] {
  const columns: (Column<FailedCall> | false)[] = [
    { id: 'status', header: 'Call', width: 110, cell: ({ status }) => <Status of={status} /> },
    { id: 'error', header: 'Error', width: 130, cell: ({ errors }) => words(errors, ({ kind }) => kindLabels[kind]) },
    isAdmin && {
      id: 'model',
      header: 'Model',
      from: 720,
      cell: ({ errors }) => <span className="mono">{words(errors, ({ model }) => model)}</span>,
    },
    {
      id: 'group',
      header: 'Model group',
      from: isAdmin ? 1280 : 720,
      cell: ({ model_group }) => model_group ?? <span className="muted">alias</span>,
    },
    isAdmin && {
      id: 'code',
      header: 'Status, code',
      from: 1024,
      cell: ({ errors }) =>
        words(errors, ({ status_code, error_code }) =>
          [status_code, error_code].filter((one) => one !== null).join(' '),
        ) || <Missing why="the provider sent none" />,
    },
    { id: 'type', header: 'Job type', from: 720, cell: ({ job_type }) => job_type },
    isAdmin && { id: 'team', header: 'Team', from: 1024, cell: ({ team_id }) => <TeamLink id={team_id} /> },
    {
      id: 'age',
      header: 'Ended',
      width: 76,
      align: 'end',
      cell: ({ finished_at }) => (finished_at ? <Age of={finished_at} /> : <Missing why="it has not ended" />),
    },
  ];
  return columns.filter((column) => column !== false);
}

/** A call beside its list, with each of its errors. */
export const callFacts = (call: FailedCall): FactList => [
  ['Call', <Status key="status" of={call.status} />],
  ['Ended', call.finished_at && <Time key="at" at={call.finished_at} />],
  ['Purpose', call.purpose],
  ['Job', <Id key="job" id={call.job_id} whole />],
  ['Job type', call.job_type],
  ['Model group', call.model_group],
  ...call.errors.map(
    ({ kind, model, error }, index) =>
      [`Error ${index + 1}`, [kindLabels[kind], model, error].filter(Boolean).join(' · ')] as const,
  ),
];

export const callLinks = ({ job_id, call_id }: FailedCall) => (
  <Link to="/jobs/$jobId" params={{ jobId: job_id }} search={{ item: call_id }}>
    The call in its receipt
  </Link>
);
