import { type Connection, isGrpcServiceError } from '@temporalio/client';
import { searchAttributes } from './search-attributes.ts';

/** `Status` of gRPC. */
const notFound = 5;
/** Permission denied, unimplemented: the service does not tell. */
const untold = [7, 12];

/** What an operator has still to set up, in words; undefined when nothing is known to be missing. Rejects where Temporal is away. */
export async function missingIn({ operatorService }: Connection, namespace: string): Promise<string | undefined> {
  try {
    const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
    const names = Object.values(searchAttributes).map(({ name }) => name);
    const missing = names.filter((name) => !(name in customAttributes));
    return missing.length > 0 ? `search attributes of namespace '${namespace}': ${missing.join(', ')}` : undefined;
  } catch (error) {
    if (isGrpcServiceError(error) && error.code === notFound) return `namespace '${namespace}'`;
    if (isGrpcServiceError(error) && untold.includes(error.code)) return undefined;
    throw error;
  }
}
