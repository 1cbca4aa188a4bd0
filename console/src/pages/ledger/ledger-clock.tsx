/** States which of the three clocks the sums follow (`spec 19.40`), and why they need not be those of the overview. */
export const LedgerClock = () => (
  <p className="muted">
    Each row counts when it was written, in usage and months by its UTC day. The overview counts credits by the UTC day
    on which their job was created and takes refunds from that day, so that its credits charged can differ from deducted
    less refunded.
  </p>
);
