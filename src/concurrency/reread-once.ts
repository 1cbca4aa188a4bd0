/**
 * Reads again what a statement missed because two requests execute the same operation at once. The statement of the second waits for
 * the row of the first, but does not see it, because it reads the state at its own start. A second statement sees the row.
 */
export async function rereadOnce<Value>(
  read: () => Promise<Value>,
  isComplete: (value: Value) => boolean,
): Promise<Value> {
  const value = await read();
  return isComplete(value) ? value : read();
}
