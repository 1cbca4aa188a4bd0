import { setTimeout as pause } from 'node:timers/promises';
import { type Connection, isGrpcServiceError } from '@temporalio/client';
import { searchAttributes } from './search-attributes.ts';

/** What the namespace lacks, and what was done about it. */
export interface Prepared {
  /** The search attributes that were made now. */
  made: string[];
  /** What an operator still has to do, as one sentence with the command. */
  problem?: string;
}

/** Codes of gRPC. */
const invalidArgument = 3;
const notFound = 5;
const permissionDenied = 7;
const unimplemented = 12;
const unauthenticated = 16;
/** The server does not let this process do it, or cannot do it: the operator has to. */
const refusals = [invalidArgument, permissionDenied, unimplemented, unauthenticated];

/** Temporal's number of the type Keyword, the type of all our attributes. */
const keyword = 2;
const names = Object.values(searchAttributes).map(({ name }) => name);

/** `customAttributes`: the types by name, as `listSearchAttributes` returns them. */
function judgeAttributes(customAttributes: Record<string, unknown>) {
  return {
    missing: names.filter((name) => !(name in customAttributes)),
    mistyped: names.filter((name) => name in customAttributes && customAttributes[name] !== keyword),
  };
}

/** What the messages name. */
export interface NamespaceAt {
  /** Host and port. */
  address: string;
  namespace: string;
}

const options = ({ address, namespace }: NamespaceAt): string => `--address ${address} --namespace ${namespace}`;

/** Temporal Cloud has a program of its own for this: it does not permit the requests of the other. */
const isCloud = ({ address }: NamespaceAt): boolean => /\.(tmprl\.cloud|temporal\.io)(:\d+)?$/.test(address);

const createCommand = (at: NamespaceAt, missing: readonly string[]): string =>
  isCloud(at)
    ? `tcld namespace search-attributes add --namespace ${at.namespace} ${missing.map((name) => `--search-attribute "${name}=Keyword"`).join(' ')}`
    : `temporal operator search-attribute create ${options(at)} ${missing.map((name) => `--name ${name} --type Keyword`).join(' ')}`;

const lacking = (at: NamespaceAt, missing: readonly string[]): string =>
  `namespace '${at.namespace}' lacks search attributes: ${createCommand(at, missing)}`;

const reasonOf = (error: { details?: string }): string => error.details ?? '';

const codeOf = (error: unknown): number | undefined => (isGrpcServiceError(error) ? error.code : undefined);

/** How soon the servers of a cluster know a new attribute: they read the namespace every ten seconds. */
const knownWithinMs = 15_000;
const pauseMs = 250;

/** A query that uses every attribute is refused where one does not exist. Everyone who may start workflows may count them. */
async function knowsAttributes({ workflowService }: Connection, namespace: string): Promise<boolean> {
  try {
    await workflowService.countWorkflowExecutions({
      namespace,
      query: names.map((name) => `${name} = 'x'`).join(' and '),
    });
    return true;
  } catch (error) {
    if (codeOf(error) === invalidArgument) return false;
    throw error;
  }
}

/** Makes them where the server permits that, and resolves when the server uses them. */
async function make(connection: Connection, at: NamespaceAt, missing: readonly string[]): Promise<Prepared> {
  const { namespace } = at;
  try {
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(missing.map((name) => [name, keyword])),
    });
  } catch (error) {
    if (!isGrpcServiceError(error) || !refusals.includes(error.code)) throw error;
    const problem = `namespace '${namespace}' lacks search attributes, and the server does not let this process make them (${reasonOf(error)}): ${createCommand(at, missing)}`;
    return { made: [], problem };
  }
  const deadline = Date.now() + knownWithinMs;
  while (!(await knowsAttributes(connection, namespace)) && Date.now() < deadline) await pause(pauseMs);
  return { made: [...missing] };
}

/**
 * Checks that the namespace exists and has the search attributes, and makes those that it lacks: decision 98. Several processes may
 * do so at once. Without `mayMake` it only states what is missing. Rejects when Temporal is unavailable.
 */
export async function prepareNamespace(
  connection: Connection,
  at: NamespaceAt,
  { mayMake = true }: { mayMake?: boolean } = {},
): Promise<Prepared> {
  const { namespace } = at;
  try {
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    const { missing, mistyped } = judgeAttributes(customAttributes);
    if (mistyped.length > 0) {
      const remove = `temporal operator search-attribute remove ${options(at)} ${mistyped.map((name) => `--name ${name}`).join(' ')}`;
      const problem = `search attributes of namespace '${namespace}' have another type than Keyword (${mistyped.join(', ')}): ${remove}, then ${createCommand(at, mistyped)}`;
      return { made: [], problem };
    }
    if (missing.length === 0) return { made: [] };
    return mayMake ? await make(connection, at, missing) : { made: [], problem: lacking(at, missing) };
  } catch (error) {
    switch (codeOf(error)) {
      case notFound:
        return {
          made: [],
          problem: `namespace '${namespace}' does not exist: temporal operator namespace create ${options(at)} --retention 7d`,
        };
      case permissionDenied:
      case unimplemented:
        return useWithoutRights(connection, at);
      case unauthenticated:
        return { made: [], problem: `the server refuses the credentials of TEMPORAL_API_KEY or TEMPORAL_TLS_CERT` };
      default:
        throw error;
    }
  }
}

/** A server that shows its search attributes to administrators only still answers queries that use them. */
async function useWithoutRights(connection: Connection, at: NamespaceAt): Promise<Prepared> {
  try {
    if (await knowsAttributes(connection, at.namespace)) return { made: [] };
  } catch (error) {
    if (codeOf(error) !== permissionDenied) throw error;
    return {
      made: [],
      problem: `this process may not use namespace '${at.namespace}': ${reasonOf(error as { details?: string })}`,
    };
  }
  return { made: [], problem: lacking(at, names) };
}
