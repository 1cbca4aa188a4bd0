/** Shows why there is no revenue and no margin. */
export const NoPrice = () => (
  <>
    set <code>USD_PER_CREDIT</code> or the price of a credit of the team
  </>
);
