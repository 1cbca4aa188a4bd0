import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { bind, type Statement, type Values } from '../sql/statement.ts';

/** Executes a statement in the transaction of `entities`. The ORM writes the values into the text, each in place of a `?`. */
export function executeIn<Row extends object>(
  entities: SqlEntityManager,
  statement: Statement,
  values: Values,
): Promise<Row[]> {
  const bound = bind(statement, values);
  const inOrder: unknown[] = [];
  const text = statement.text.replaceAll(/\$(\d+)/g, (_, position: string) => {
    inOrder.push(bound[Number(position) - 1]);
    return '?';
  });
  return entities.execute<Row[]>(text, inOrder);
}
