/**
 * Each fault, and each scenario that takes a minute of a core, has two forms: the short one is part of `npm test`, the full one is
 * `npm run test:faults`. `FAULTS_SCALE=0.1` makes a full one a tenth as long, but not shorter than the short one.
 */
export const isFull = process.env.FAULTS === 'full';

const scale = Number(process.env.FAULTS_SCALE ?? 1);

export const sized = ({ short, full }: { short: number; full: number }): number =>
  isFull ? Math.max(short, Math.round(full * scale)) : short;

/** The limit of a duration in the full form. The short form runs beside other tests, so that its limit is six times as long. */
export const promised = (ms: number): number => (isFull ? ms : 6 * ms);

export const minutes = (short: number, full: number): number => (isFull ? full : short) * 60_000;
