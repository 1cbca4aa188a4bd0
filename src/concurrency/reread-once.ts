/**
 * For two requests that execute the same operation at once. The statement of the second one waits for the row of the first one,
 * but does not see that row, because it reads the state at its own start. A second statement sees the row.
 */
export async function rereadOnce<Value>(
  read: () => Promise<Value>,
  isComplete: (value: Value) => boolean,
): Promise<Value> {
  const value = await read();
  return isComplete(value) ? value : read();
}
