import {
  argumentsOf,
  type Client,
  DbNull,
  type FieldNode,
  JsonNull,
  methodsOf,
  models,
  parseQuery,
} from './packages.ts';

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
const mapFields = (fields: Fields, change: (value: unknown, name: string) => unknown): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(value, name)]));

/** LiteLLM's client sends JSON as its text. */
function readJson(value: unknown): unknown {
  if (value === null) return DbNull;
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) ?? JsonNull;
  } catch {
    return value;
  }
}

/** The arguments with the values of JSON fields read, also within filters (`equals`) and relations. */
function toArguments(model: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => toArguments(model, one));
  if (!isObject(value)) return value;
  return mapFields(value, (inner, name) => {
    const field = models.get(model)?.get(name);
    if (field?.type === 'Json') {
      if (Array.isArray(inner)) return inner.map(readJson);
      return isObject(inner) ? mapFields(inner, readJson) : readJson(inner);
    }
    if (field?.kind === 'object') return toArguments(field.type, inner);
    // A scalar, or a word of Prisma: AND, OR, create, connect, some, data …
    return field ? inner : toArguments(model, inner);
  });
}

const typed = new Set(['where', 'data', 'create', 'update', 'cursor', 'having']);
const argumentsFor = (model: string, field: FieldNode): Fields =>
  mapFields(argumentsOf(field), (value, name) => (typed.has(name) ? toArguments(model, value) : value));

const selectionOf = (model: string, { selectionSet }: FieldNode): Fields =>
  Object.fromEntries(
    (selectionSet?.selections ?? []).map((inner) => {
      const field = models.get(model)?.get(inner.name.value);
      const isRelation = field?.kind === 'object';
      const nested = () => ({ ...argumentsFor(field!.type, inner), select: selectionOf(field!.type, inner) });
      return [inner.name.value, isRelation ? nested() : true];
    }),
  );

/** A row as LiteLLM's client reads it: JSON as its text, as it was sent. */
function toRow(model: string, row: unknown): unknown {
  if (Array.isArray(row)) return row.map((one) => toRow(model, one));
  if (!isObject(row)) return row ?? null;
  return mapFields(row, (value, name) => {
    const field = models.get(model)?.get(name);
    if (value === null || value === undefined) return null;
    if (field?.kind === 'object') return toRow(field.type, value);
    if (field?.type !== 'Json') return value;
    return field.isList ? (value as unknown[]).map((one) => JSON.stringify(one)) : JSON.stringify(value);
  });
}

const isDecimal = (value: unknown): boolean => value?.constructor?.name === 'Decimal';

/** The name of Prisma's type of a value of a raw query. */
function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'unknown-array';
  if (value instanceof Date) return 'datetime';
  if (isDecimal(value)) return 'decimal';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'double';
  const types: Record<string, string> = { bigint: 'bigint', boolean: 'bool', object: 'json' };
  return types[typeof value] ?? 'string';
}

const rawValues = (parameters: unknown): unknown[] =>
  (JSON.parse((parameters as string) || '[]') as unknown[]).map((value) =>
    isObject(value) ? (value.prisma__value ?? JSON.stringify(value)) : value,
  );

/** A column without a type of Prisma's, as of a lock, is an error after the statement was executed: nobody reads such a column. */
function withoutUnreadRows(error: Error): [] {
  if (error.message.includes('Failed to deserialize column')) return [];
  throw error;
}

async function queryRaw(client: Client, sql: string, values: unknown[]) {
  const rows = await client.$queryRawUnsafe(sql, ...values).catch(withoutUnreadRows);
  const columns = Object.keys(rows[0] ?? {});
  const types = columns.map((column) => typeOf(rows.map((row) => row[column]).find((value) => value !== null)));
  const shown = (value: unknown) => (isDecimal(value) ? String(value) : (value ?? null));
  return { columns, types, rows: rows.map((row) => columns.map((column) => shown(row[column]))) };
}

/** The names of the engine and of the JavaScript client, where they differ. */
const names: Record<string, string> = {
  createOne: 'create',
  deleteOne: 'delete',
  updateOne: 'update',
  upsertOne: 'upsert',
};
const call =
  /^(findUnique|findFirst|findMany|aggregate|groupBy|(?:create|delete|update|upsert)(?:One|Many))(\w+?)(OrThrow)?$/;

/** Runs one query of LiteLLM's client: `query { result: findUniqueLiteLLM_TeamTable(where: …) { team_id … } }`. */
export async function runQuery(client: Client, text: string): Promise<unknown> {
  const field = parseQuery(text);
  const method = field.name.value;
  if (method === 'queryRaw' || method === 'executeRaw') {
    const { query, parameters } = argumentsOf(field) as { query: string; parameters?: string };
    const values = rawValues(parameters);
    return method === 'queryRaw' ? queryRaw(client, query, values) : client.$executeRawUnsafe(query, ...values);
  }
  const [, verb = '', model = '', orThrow = ''] = call.exec(method) ?? [];
  const run = methodsOf(client, model)[`${names[verb] ?? verb}${orThrow}`]!;
  const given = argumentsFor(model, field);
  if (verb === 'aggregate' || verb === 'groupBy') {
    const figures = (field.selectionSet?.selections ?? []).filter(({ name }) => name.value.startsWith('_'));
    const wanted = figures.map((figure) => [figure.name.value, mapFields(selectionOf('', figure), () => true)]);
    return run({ ...given, ...Object.fromEntries(wanted) });
  }
  if (verb !== 'findMany' && verb.endsWith('Many')) return run(given);
  return toRow(model, await run({ ...given, select: selectionOf(model, field) }));
}
