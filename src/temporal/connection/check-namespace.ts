import { type Connection, isGrpcServiceError } from '@temporalio/client';
import { searchAttributes } from './search-attributes.ts';

/** Codes of gRPC. */
const notFound = 5;
const permissionDenied = 7;
const unimplemented = 12;

/**
 * What an operator still has to set up, as a text; undefined when nothing is missing, or the server does not permit the check.
 * Rejects when Temporal is unavailable.
 */
export async function findMissingSetup(
  { operatorService }: Connection,
  namespace: string,
): Promise<string | undefined> {
  try {
    const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
    const names = Object.values(searchAttributes).map(({ name }) => name);
    const missing = names.filter((name) => !(name in customAttributes));
    return missing.length > 0 ? `search attributes of namespace '${namespace}': ${missing.join(', ')}` : undefined;
  } catch (error) {
    if (!isGrpcServiceError(error)) throw error;
    if (error.code === notFound) return `namespace '${namespace}'`;
    if (error.code === permissionDenied || error.code === unimplemented) return undefined;
    throw error;
  }
}
