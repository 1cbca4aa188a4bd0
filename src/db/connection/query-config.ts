import pg, { type QueryConfig } from 'pg';
import { bind, type Statement, type Values } from '../sql/statement.ts';

const { builtins } = pg.types;

/**
 * Dates as Date, bigint as number (none of ours passes 2^53), and numeric as text: money is never a float. Given with each
 * query, because the pool's own parsers are the ORM's.
 */
const columnTypes = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === builtins.INT8) return Number;
    if (oid === builtins.NUMERIC) return (text: string) => text;
    return pg.types.getTypeParser(oid, format as 'text');
  },
} as pg.CustomTypesConfig;

/** A statement with its values, as the driver sends it. */
export const queryConfig = (statement: Statement, values: Values): QueryConfig => ({
  name: statement.name,
  text: statement.text,
  values: bind(statement, values),
  types: columnTypes,
});
