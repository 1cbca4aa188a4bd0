import { isUniqueViolation } from '../connection/failures.ts';

/**
 * Creates something whose name is unique. A request that is executed again, with the same ids, finds what it created
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
