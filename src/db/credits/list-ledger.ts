import { type TransactionType, transactionTypes } from '../../domain/credits.ts';
import { divideIntoDays, type TimeRange } from '../../domain/time/whole-days.ts';
import type { Database } from '../connection/database.ts';
import { type KeysetPage, readKeysetPage } from '../sql/read-keyset-page.ts';
import type { Values } from '../sql/statement.ts';
import { type TransactionRow, transactionColumns } from './write-transaction.ts';

export interface LedgerSelection extends TimeRange {
  team_id?: string | undefined;
  organization_id?: string | undefined;
  transaction_type?: TransactionType | undefined;
  job_id?: string | undefined;
}

export interface LedgerRow extends TransactionRow {
  organization_id: string;
}

/** The credits of each type, and how many rows they are. */
export type LedgerSums = Record<TransactionType, number>;

const keyset = {
  name: 'ledger',
  columns: [
    { sql: 'created_at', type: 'timestamptz', direction: 'desc' },
    { sql: 'position', type: 'bigint', direction: 'desc' },
  ],
} as const;

/** The conditions on columns that the ledger and its sums of days have. */
const onBoth = {
  team_id: 'team_id = :team_id',
  organization_id: 'organization_id = :organization_id',
};

function inRange({ from, before }: TimeRange, names: { from: string; before: string }): string {
  const bounds = [from && `created_at >= ${names.from}`, before && `created_at < ${names.before}`];
  return bounds.filter(Boolean).join(' and ') || 'true';
}

/** A job has at most two rows, found by the unique indexes of its deduction and its refund. */
const ofJob = `(transaction_type = 'deduction' and job_id = :job_id or transaction_type = 'refund' and job_id = :job_id)`;

/** A literal, for the partial indexes of rarer types. */
const ofType = (type: TransactionType | undefined): string => (type ? `transaction_type = '${type}'` : 'true');

/** The conditions on columns that only the ledger has. */
const ownConditions = ({ transaction_type, job_id }: LedgerSelection): string[] => [
  ofType(transaction_type),
  ...(job_id === undefined ? [] : [ofJob]),
];

/** The total and the sums: of whole days from the sums of days, else from the ledger. */
function countQuery(selection: LedgerSelection, shared: string): { sql: string; values: Values } {
  const { transaction_type: type, job_id, ...range } = selection;
  const { days, edges } = job_id === undefined ? divideIntoDays(range) : { days: null, edges: [range] };
  const values: Record<string, unknown> = {};
  const parts = edges.map((edge, position) => {
    const names = { from: `:from_${position}`, before: `:before_${position}` };
    if (edge.from) values[`from_${position}`] = edge.from;
    if (edge.before) values[`before_${position}`] = edge.before;
    const rows = [shared, inRange(edge, names), ...ownConditions(selection)].join(' and ');
    return `select transaction_type, 1 as entries, credits_amount as credits from credit_transactions where ${rows}`;
  });
  if (days) {
    if (days.from) values.first_day = days.from;
    if (days.before) values.last_day = days.before;
    const daySql = (name: string) => `(${name}::timestamptz at time zone 'utc')::date`;
    const bounds = [days.from && `day >= ${daySql(':first_day')}`, days.before && `day < ${daySql(':last_day')}`];
    parts.push(
      `select of_type.* from daily_credits cross join lateral
              (values ('deduction', deductions, deducted), ('allocation', allocations, allocated),
                      ('refund', refunds, refunded), ('adjustment', adjustments, adjusted)) of_type (transaction_type, entries, credits)
        where ${[shared, ...bounds.filter(Boolean)].join(' and ')}`,
    );
  }
  const sums = transactionTypes.map(
    (one) => `coalesce(sum(credits) filter (where transaction_type = '${one}'), 0)::bigint as ${one}`,
  );
  const sql = `select coalesce(sum(entries), 0)::bigint as total, ${sums.join(', ')}
                 from (${parts.join(' union all ')}) parts where ${ofType(type)}`;
  return { sql, values };
}

/** Transactions of any team, newest first, with their number and the credits of each type. */
export function listLedger(database: Database, selection: LedgerSelection, page: KeysetPage) {
  const { from, before, job_id } = selection;
  const given = (['team_id', 'organization_id'] as const).filter((name) => selection[name] !== undefined);
  const shared = given.map((name) => onBoth[name]).join(' and ') || 'true';
  const conditions = [
    shared,
    inRange({ from, before }, { from: ':from', before: ':before' }),
    ...ownConditions(selection),
  ].join(' and ');
  const count = countQuery(selection, shared);
  return readKeysetPage<LedgerRow, LedgerSums>(
    database,
    {
      columns: `${transactionColumns}, organization_id`,
      keyset,
      from: (after) => `credit_transactions where ${conditions} and ${after}`,
      count: count.sql,
    },
    {
      ...Object.fromEntries(given.map((name) => [name, selection[name]])),
      ...(from && { from }),
      ...(before && { before }),
      ...(job_id !== undefined && { job_id }),
      ...count.values,
    },
    page,
  );
}
