const atATime = 16;

/** Makes so many of something, a few at a time: a crowd at the door is not what is measured. */
export async function inBatches<Made>(count: number, make: () => Promise<Made>): Promise<Made[]> {
  const made: Made[] = [];
  while (made.length < count) {
    const batch = Math.min(atATime, count - made.length);
    made.push(...(await Promise.all(Array.from({ length: batch }, make))));
  }
  return made;
}
