import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

export interface Login {
  /** Undefined: no user has the e-mail. */
  known: { user_id: string; password_hash: string; is_active: boolean; second_factor_at: Date | null } | undefined;
  /** The bcrypt cost of most passwords. Undefined: there is no user at all. */
  usualCost: number | undefined;
}

/** The statement returns one row in any case: its time must not reveal whether there is a user of the e-mail. */
const sql = statement(
  'find_login',
  `select u.user_id, u.password_hash, u.is_active, u.second_factor_at,
          (select mode() within group (order by substring(password_hash from '^[$]2[a-z][$](\\d\\d)[$]')::int)
             from admin_users) as usual_cost
     from (select :email::text as email) given left join admin_users u on u.email = given.email`,
);

interface LoginRow {
  user_id: string | null;
  password_hash: string | null;
  is_active: boolean | null;
  second_factor_at: Date | null;
  usual_cost: number | null;
}

/** The account to log in to, with what a comparison without one has to cost. */
export async function findLogin(database: Database, email: string): Promise<Login> {
  const [row] = await database.query<LoginRow>(sql, { email });
  const { user_id, password_hash, is_active, second_factor_at, usual_cost } = row!;
  return {
    known: user_id && password_hash ? { user_id, password_hash, is_active: is_active!, second_factor_at } : undefined,
    usualCost: usual_cost ?? undefined,
  };
}
