import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { arrayLiteral } from '../sql/array-literal.ts';
import { bind, type Statement, type Values } from '../sql/statement.ts';
import type { Queries } from './database.ts';

/**
 * Executes a statement in the transaction of `entities`, with the same values as `Database.query`; an array is one of texts or
 * UUIDs. The ORM writes the values into the text, each in place of a `?`.
 */
export function executeIn<Row extends object>(
  entities: SqlEntityManager,
  statement: Statement,
  values: Values,
): Promise<Row[]> {
  const bound = bind(statement, values);
  const inOrder: unknown[] = [];
  const text = statement.text.replaceAll(/\$(\d+)/g, (_, position: string) => {
    const value = bound[Number(position) - 1];
    inOrder.push(Array.isArray(value) ? arrayLiteral(value) : value);
    return '?';
  });
  return entities.execute<Row[]>(text, inOrder);
}

/** The statements of a transaction. */
export const queriesIn = (entities: SqlEntityManager): Queries => ({
  query: (statement, values = {}) => executeIn(entities, statement, values),
});
