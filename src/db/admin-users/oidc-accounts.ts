import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { executeIn } from '../connection/execute-in.ts';
import { unnamed } from '../sql/statement.ts';

/** Who somebody is to an issuer of OpenID Connect. The subject is unique there and never changes. */
export interface OidcAccount {
  issuer: string;
  subject: string;
}

const findSql = unnamed('select user_id from oidc_accounts where issuer = :issuer and subject = :subject');

export async function findOidcUser(
  entities: SqlEntityManager,
  { issuer, subject }: OidcAccount,
): Promise<string | undefined> {
  const [row] = await executeIn<{ user_id: string }>(entities, findSql, { issuer, subject });
  return row?.user_id;
}

const insertSql = unnamed(
  'insert into oidc_accounts (issuer, subject, user_id) values (:issuer, :subject, :user_id) returning user_id',
);

export async function insertOidcAccount(
  entities: SqlEntityManager,
  { issuer, subject, user_id }: OidcAccount & { user_id: string },
): Promise<void> {
  await executeIn(entities, insertSql, { issuer, subject, user_id });
}

const deleteSql = unnamed('delete from oidc_accounts where user_id = :user_id');

export async function deleteOidcAccount(entities: SqlEntityManager, user_id: string): Promise<void> {
  await executeIn(entities, deleteSql, { user_id });
}
