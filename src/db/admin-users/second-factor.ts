import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { audit } from '../audit/write-audit-entry.ts';
import type { Database } from '../connection/database.ts';
import { executeIn } from '../connection/execute-in.ts';
import { statement, unnamed } from '../sql/statement.ts';

export interface SecondFactorRow {
  second_factor_sealed: Buffer | null;
  /** Since when it is asked for; null: it was not confirmed. */
  second_factor_at: Date | null;
}

const findSql = statement(
  'find_second_factor',
  'select second_factor_sealed, second_factor_at from admin_users where user_id = :user_id',
);

export const findSecondFactor = async (database: Database, userId: string): Promise<SecondFactorRow | undefined> =>
  (await database.query<SecondFactorRow>(findSql, { user_id: userId }))[0];

const useStepSql = statement(
  'use_second_factor_step',
  `update admin_users set second_factor_step = :step
    where user_id = :user_id and second_factor_sealed = :sealed and second_factor_step < :step returning user_id`,
);

/** Marks the code of this step, and all before it, as used. False: it was used, or the secret is another one by now. */
export const useStep = async (database: Database, userId: string, sealed: Buffer, step: number): Promise<boolean> =>
  (await database.query(useStepSql, { user_id: userId, sealed, step })).length > 0;

const useRecoverySql = statement(
  'use_recovery_code',
  `with used as (
     delete from recovery_codes where user_id = :user_id and code_hash = :code_hash returning user_id
   ), audited as (${audit('used')})
   select user_id from used`,
);

/** Deletes the code. False: there is none. */
export const useRecoveryCode = async (
  database: Database,
  code: { user_id: string; code_hash: Buffer; audit_entry: string },
): Promise<boolean> => (await database.query(useRecoverySql, { ...code })).length > 0;

const storeSql = unnamed(
  `update admin_users set second_factor_sealed = :sealed, second_factor_at = null, second_factor_step = 0
    where user_id = :user_id and second_factor_at is null returning user_id`,
);

/** Stores a secret that is still to be confirmed. False: there is a second factor already. */
export const storeSecret = async (database: Database, userId: string, sealed: Buffer): Promise<boolean> =>
  (await database.query(storeSql, { user_id: userId, sealed })).length > 0;

const confirmSql = unnamed(
  `with confirmed as (
     update admin_users set second_factor_at = now(), second_factor_step = :step
      where user_id = :user_id and second_factor_sealed = :sealed and second_factor_at is null returning user_id
   )
   insert into recovery_codes (user_id, code_hash)
   select user_id, decode(code_hash, 'hex') from confirmed, unnest(:code_hashes::text[]) as code_hash returning user_id`,
);

export interface Confirmation {
  user_id: string;
  sealed: Buffer;
  step: number;
  /** In hexadecimal. */
  code_hashes: string[];
}

/** The secret is asked for from now on. False: it is not there to be confirmed any more. */
export const confirmSecret = async (entities: SqlEntityManager, confirmation: Confirmation): Promise<boolean> =>
  (await executeIn(entities, confirmSql, { ...confirmation })).length > 0;

const removeSql = unnamed(
  `with removed as (
     update admin_users set second_factor_sealed = null, second_factor_at = null, second_factor_step = 0
      where user_id = :user_id returning user_id
   )
   delete from recovery_codes where user_id = :user_id`,
);

export async function removeSecondFactor(entities: SqlEntityManager, userId: string): Promise<void> {
  await executeIn(entities, removeSql, { user_id: userId });
}
