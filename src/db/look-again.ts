/**
 * Who carries an operation out beside another waits for the row that the other one makes, and then has neither made it nor
 * found it: a statement sees what was there when it began. Sent again, it finds it.
 */
export async function lookAgain<Seen>(look: () => Promise<Seen>, isAnswer: (seen: Seen) => boolean): Promise<Seen> {
  const seen = await look();
  return isAnswer(seen) ? seen : look();
}
