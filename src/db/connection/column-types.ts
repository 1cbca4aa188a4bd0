import pg from 'pg';

const { builtins } = pg.types;

/**
 * Dates as Date, bigint as number (none of ours passes 2^53), and numeric as text: money is never a float. Given with each
 * query, because the pool's own parsers are the ORM's.
 */
export const columnTypes = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === builtins.INT8) return Number;
    if (oid === builtins.NUMERIC) return (text: string) => text;
    return pg.types.getTypeParser(oid, format as 'text');
  },
} as pg.CustomTypesConfig;
