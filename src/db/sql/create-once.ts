import { isUniqueViolation } from '../connection/failures.ts';

/**
 * Creates something whose name is unique. A request that is carried out again, with the same ids, finds what it made
 * (`findOwn`). Undefined when another request has the name.
 */
export async function createOnce<T>(
  create: () => Promise<T>,
  findOwn: () => Promise<T | null>,
): Promise<T | undefined> {
  try {
    return await create();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    return (await findOwn()) ?? undefined;
  }
}
