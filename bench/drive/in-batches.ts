const batchSize = 16;

/** Creates `count` things in batches: a burst of creations is not measured. */
export async function inBatches<Made>(count: number, make: () => Promise<Made>): Promise<Made[]> {
  const made: Made[] = [];
  while (made.length < count) {
    const size = Math.min(batchSize, count - made.length);
    made.push(...(await Promise.all(Array.from({ length: size }, make))));
  }
  return made;
}
