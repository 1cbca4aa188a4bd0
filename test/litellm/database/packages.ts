import { createRequire } from 'node:module';

/**
 * What the query engine needs of npm. It is installed into the cache, because nothing but these tests uses it: the folder is in
 * LITELLM_QUERY_ENGINE.
 */
const load = createRequire(`${process.env.LITELLM_QUERY_ENGINE}/package.json`);

/** A field of a model, as Prisma describes it. */
interface Field {
  name: string;
  kind: 'scalar' | 'object' | 'enum';
  type: string;
  isList: boolean;
}

type Method = (args: unknown) => Promise<unknown>;
export interface Client {
  $executeRawUnsafe(sql: string, ...values: unknown[]): Promise<number>;
  $queryRawUnsafe(sql: string, ...values: unknown[]): Promise<Record<string, unknown>[]>;
  $transaction<T>(work: (client: Client) => Promise<T>, options: object): Promise<T>;
}

const { PrismaClient, Prisma } = load('./generated/index.js') as {
  PrismaClient: new (options: object) => Client;
  Prisma: { dmmf: { datamodel: { models: { name: string; fields: Field[] }[] } }; DbNull: unknown; JsonNull: unknown };
};
const { PrismaPg } = load('@prisma/adapter-pg') as { PrismaPg: new (options: object) => unknown };

export const { DbNull, JsonNull } = Prisma;

/** The fields of each model by their names. */
export const models = new Map(
  Prisma.dmmf.datamodel.models.map(({ name, fields }) => [name, new Map(fields.map((field) => [field.name, field]))]),
);

export const openClient = (connectionString: string): Client =>
  new PrismaClient({ adapter: new PrismaPg({ connectionString, max: 10 }), log: [], errorFormat: 'minimal' });

/** The methods of a model: `client.liteLLM_TeamTable`. */
export function methodsOf(client: Client, model: string): Record<string, Method> {
  const methods = (client as unknown as Record<string, Record<string, Method>>)[
    `${model[0]!.toLowerCase()}${model.slice(1)}`
  ];
  if (!methods) throw new Error(`no model ${model}`);
  return methods;
}

interface Node {
  kind: string;
}
export interface FieldNode extends Node {
  name: { value: string };
  arguments: { name: { value: string }; value: Node }[];
  selectionSet?: { selections: FieldNode[] };
}

const graphql = load('graphql') as {
  parse(text: string, options: object): { definitions: { selectionSet: { selections: FieldNode[] } }[] };
  valueFromASTUntyped(node: Node): unknown;
};

/** The one field of a query. */
export const parseQuery = (text: string): FieldNode =>
  graphql.parse(text, { noLocation: true }).definitions[0]!.selectionSet.selections[0]!;

export const argumentsOf = (field: FieldNode): Record<string, unknown> =>
  Object.fromEntries(field.arguments.map(({ name, value }) => [name.value, graphql.valueFromASTUntyped(value)]));
