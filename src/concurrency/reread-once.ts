/**
 * For two requests that carry out the same operation at once: the second one's statement waits for the first one's row, but
 * does not see it, because it sees the state of when it began. Sent again, it does.
 */
export async function rereadOnce<Seen>(look: () => Promise<Seen>, isAnswer: (seen: Seen) => boolean): Promise<Seen> {
  const seen = await look();
  return isAnswer(seen) ? seen : look();
}
