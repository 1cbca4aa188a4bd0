import type { Database } from '../connection/database.ts';
import { type Statement, statement } from '../sql/statement.ts';

/** `id`: the key of the value's row, as bytes. `owner`: the id that is a part of the context in which it is sealed. */
export interface SealedValue {
  id: Buffer;
  sealed: Buffer;
  owner: string;
}

/** The same value, sealed with another key. */
export interface ResealedValue {
  id: Buffer;
  before: Buffer;
  sealed: Buffer;
  /** The digest by which the content is found, where it is a virtual key. */
  hash: Buffer;
}

interface SealedColumn {
  list: Statement;
  replace: Statement;
}

/** `id` and `owner`: expressions. */
function column(name: string, id: string, owner: string, alsoSet = ''): SealedColumn {
  const [table = '', field = ''] = name.split('.');
  return {
    list: statement(
      `list_${table}_${field}`,
      `select ${id} as id, ${field} as sealed, ${owner} as owner from ${table}
        where ${id} > :after and substring(${field} from 1 for length(:key_id::bytea)) <> :key_id::bytea
        order by ${id} limit :limit`,
    ),
    replace: statement(
      `replace_${table}_${field}`,
      `update ${table} set ${field} = n.sealed${alsoSet}
         from unnest(:ids::bytea[], :before::bytea[], :sealed::bytea[], :hashes::bytea[]) as n (id, before, sealed, hash)
        where ${id} = n.id and ${field} = n.before returning n.id`,
    ),
  };
}

const webhookId = `convert_to(webhook_id::text, 'UTF8')`;
const userId = `convert_to(user_id::text, 'UTF8')`;

/** Every column that holds what MASTER_KEY seals. */
export const sealedColumns = {
  'virtual_keys.key_sealed': column('virtual_keys.key_sealed', 'key_hash', 'team_id', ', key_hash = n.hash'),
  'team_keys.key_sealed': column('team_keys.key_sealed', 'key_hash', 'team_id', ', key_hash = n.hash'),
  'webhooks.secret_sealed': column('webhooks.secret_sealed', webhookId, 'webhook_id::text'),
  'webhooks.auth_header_sealed': column('webhooks.auth_header_sealed', webhookId, 'webhook_id::text'),
  'admin_users.second_factor_sealed': column('admin_users.second_factor_sealed', userId, 'user_id::text'),
  'idempotency_keys.answer_sealed': column('idempotency_keys.answer_sealed', 'scope', `encode(scope, 'hex')`),
} as const;

export type SealedColumnName = keyof typeof sealedColumns;

export interface NextValues {
  after: Buffer;
  /** Values that begin with this key id are skipped. */
  key_id: Buffer;
  limit: number;
}

export const listSealed = (database: Database, name: SealedColumnName, next: NextValues): Promise<SealedValue[]> =>
  database.query<SealedValue>(sealedColumns[name].list, { ...next });

/** Returns how many it has replaced. A value that has changed since it was read stays: it is sealed with the current key. */
export async function replaceSealed(
  database: Database,
  name: SealedColumnName,
  resealed: readonly ResealedValue[],
): Promise<number> {
  const rows = await database.query(sealedColumns[name].replace, {
    ids: resealed.map(({ id }) => id),
    before: resealed.map(({ before }) => before),
    sealed: resealed.map(({ sealed }) => sealed),
    hashes: resealed.map(({ hash }) => hash),
  });
  return rows.length;
}
