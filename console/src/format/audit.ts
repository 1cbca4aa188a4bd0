/** `cancelled_job` is `Cancelled job`. */
export const actionSentence = (action: string): string => {
  const words = action.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};
