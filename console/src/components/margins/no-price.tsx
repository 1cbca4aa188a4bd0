/** Shows why there is no revenue and no margin. */
export const NoPrice = () => (
  <>
    set <code>USD_PER_CREDIT</code>, the price of a credit
  </>
);
