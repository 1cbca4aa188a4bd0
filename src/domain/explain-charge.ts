import Big from 'big.js';
import type { JobTerms } from './billing-policy.ts';
import { decideCharge } from './charge.ts';
import { type Billing, maxBalance, rateOf } from './credits.ts';
import { isFinished, type JobEnder, type JobStatus } from './job-state.ts';

/** What decided about the credits of a job: the rule of `decideCharge`, with what the balance and a refund made of it. */
export const verdictRules = [
  'open',
  'failed',
  'cancelled',
  'failed_calls',
  'price_too_high',
  'price_zero',
  'balance_too_low',
  'charged',
  'refunded',
] as const;
export type VerdictRule = (typeof verdictRules)[number];

export interface Refund {
  credits: number;
  at: string;
  reason: string;
}

/** A job, and what its charge was or would be decided by. Of an ended job: as it was recorded with its end. */
export interface JobToExplain {
  status: JobStatus;
  /** Null: open, or not recorded. */
  endedBy: JobEnder | null;
  /** The name of the admin who cancelled it, for those who may know. */
  cancelledBy: string | null;
  isSingleCall: boolean;
  totalCalls: number;
  failedCalls: number;
  totalTokens: number;
  /** An exact decimal of USD. */
  totalCostUsd: string;
  /** The first call that failed. */
  firstFailedCall: { position: number; purpose: string | null } | null;
  billing: Billing;
  /** Undefined: the price and the policy are the default. */
  terms?: JobTerms | undefined;
  /** The balance after the end, or now while the job is open. */
  creditsRemaining: number;
  /** Null: the budget is unlimited. */
  creditLimit: number | null;
  /** Of an open job: what it can be charged, its reservation included. */
  creditsAvailable: number;
  /** What it has reserved, or had. Null: it has no reservation. */
  creditsHeld: number | null;
  /** What was deducted. */
  creditsCharged: number;
  errorMessage: string | null;
  cancelReason: string | null;
  refund: Refund | null;
}

export interface ChargeVerdict {
  charged: boolean;
  /** What was deducted. */
  credits: number;
  rule: VerdictRule;
  /** What the job costs where it is charged. */
  price: number;
  /** The text that people read. */
  sentence: string;
}

const figure = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const creditsText = (credits: number): string => `${figure.format(credits)} credit${credits === 1 ? '' : 's'}`;
const callsText = (calls: number): string => `${figure.format(calls)} call${calls === 1 ? '' : 's'}`;
/** Costs of providers may have errors of floating-point numbers in later digits. */
const costDigits = 10;

/** The cost without digits that explain nothing: those that change the price stay. */
function costText(costUsd: string, rate: string, price: number): string {
  const short = Big(costUsd).round(costDigits);
  const priceOfShort = Math.max(1, Number(short.times(rate).round(0, Big.roundUp)));
  return (priceOfShort === price ? short : Big(costUsd)).toFixed();
}
const quoted = (text: string | null): string => (text ? `: “${text}”` : '');

const priceOfJob = (price: number): string => `the price of the job is ${creditsText(price)}`;

/** How the price is derived, as a part of a sentence. `spec 6.11` */
function priceText({ billing, totalTokens, totalCostUsd, terms }: JobToExplain, price: number): string {
  const rate = rateOf(billing);
  switch (billing.budgetMode) {
    case 'job_based':
      return terms ? priceOfJob(price) : 'each completed job of the team costs 1 credit';
    case 'consumption_usd':
      return `its calls cost ${costText(totalCostUsd, rate!, price)} USD, which at ${Big(rate!).toFixed()} credits per USD, rounded up and at least 1, is ${creditsText(price)}`;
    case 'consumption_tokens':
      return `its calls took ${figure.format(totalTokens)} tokens, which at ${figure.format(Number(rate))} tokens per credit, rounded up and at least 1, is ${creditsText(price)}`;
  }
}

/** Which calls failed, as a part of a sentence. */
function failedCallsText({ totalCalls, failedCalls, firstFailedCall }: JobToExplain): string {
  const purpose = firstFailedCall?.purpose ? ` (${firstFailedCall.purpose})` : '';
  if (!firstFailedCall) return `${callsText(failedCalls)} failed`;
  if (failedCalls === 1) return `call ${firstFailedCall.position}${purpose} failed`;
  const which = `the first of them call ${firstFailedCall.position}${purpose}`;
  return `${figure.format(failedCalls)} of its ${callsText(totalCalls)} failed, ${which}`;
}

function failedText({ endedBy, isSingleCall, errorMessage }: JobToExplain): string {
  switch (endedBy) {
    case 'idle':
      return 'the job failed, because it had no call and no update for its idle time';
    case 'deadline':
      return 'the job failed, because its deadline had passed';
    case 'service':
      return `the service ended the job as failed, because its workflow was lost${quoted(errorMessage)}`;
    case 'operator':
      return 'the job was ended in Temporal, without a command of its client';
    case 'call':
      return `the job failed with ${isSingleCall ? 'its only call' : 'a call'}${quoted(errorMessage)}`;
    default:
      return `its client ended the job as failed${quoted(errorMessage)}`;
  }
}

function cancelledText({ endedBy, cancelledBy, cancelReason }: JobToExplain): string {
  const by = {
    admin: cancelledBy ? `by the administrator ${cancelledBy}` : 'by an administrator',
    operator: 'by an operator, in Temporal',
    client: 'by its team',
  } as Record<string, string>;
  // The sentence says no more about an operator.
  const reason = endedBy === 'operator' ? '' : quoted(cancelReason);
  return `the job was cancelled${endedBy && by[endedBy] ? ` ${by[endedBy]}` : ''}${reason}`;
}

const answeredText = ({ terms, totalCalls }: JobToExplain): string =>
  `${figure.format(terms?.facts.answered ?? 0)} of its ${callsText(totalCalls)} answered`;

/** How the calls of a completed job ended, of which none makes it free. */
function callsOfCompleted({ totalCalls, failedCalls, terms }: JobToExplain): string {
  if (totalCalls === 0) return 'without any call';
  if (failedCalls === 0 || !terms) return 'without a failed call';
  return `although ${callsText(failedCalls)} failed, as its policy “${terms.policy}” permits`;
}

/** How a job ended that its policy charges, as a part of a sentence. */
function chargeableText(job: JobToExplain): string {
  if (job.status === 'completed') return completedText(job);
  const ended = job.status === 'cancelled' ? cancelledText(job) : failedText(job);
  return `${ended}, but ${answeredText(job)}, which its policy “answered” charges`;
}

/** How a job came to be completed, as a part of a sentence. */
function completedText(job: JobToExplain): string {
  const { endedBy, isSingleCall } = job;
  const calls = callsOfCompleted(job);
  switch (endedBy) {
    case 'call':
      return isSingleCall ? 'its only call succeeded' : `the job was completed with a call, ${calls}`;
    case 'idle':
      return `the job was completed ${calls}, after its last answer, because nothing followed for its idle time`;
    case 'service':
      return `the job was completed ${calls}, by the service, because its workflow was lost`;
    default:
      return `the job was completed ${calls}`;
  }
}

/** A price that the balance does not cover, as a part of a sentence. */
function tooLowText({ creditsRemaining, creditLimit }: JobToExplain, price: number): string {
  if (creditLimit === null) return `the balance of ${creditsText(creditsRemaining)} could not take that`;
  const left = `the team had ${creditsText(creditsRemaining)} left of its fixed budget`;
  return creditsRemaining < price ? left : `${left}, which other jobs had reserved`;
}

/** A reservation that is charged in place of the price, as a part of a sentence. `spec 24.4` */
const reservedText = (credits: number): string => `its reservation of ${creditsText(credits)}`;

const tooHighText = (price: number): string =>
  `a price of ${creditsText(price)} is more than a balance can hold, which is ${figure.format(maxBalance)}`;

const onlyCompleted = 'only completed jobs are charged';
const freeAfterFailure = 'a job with a failed call is free';
const notAnswered = 'none of its calls succeeded';

/** Why a job that did not complete is free. */
const freeUnlessCompleted = ({ terms }: JobToExplain): string =>
  terms?.policy === 'answered' ? notAnswered : onlyCompleted;

/** Why its calls make a job free. */
function freeByCalls(job: JobToExplain): string {
  const { terms } = job;
  if (terms?.policy === 'answered') return notAnswered;
  if (terms?.policy !== 'superseded_ok') return `${failedCallsText(job)}, and ${freeAfterFailure}`;
  const { unexcused } = terms.facts;
  const which = unexcused === 1 ? 'a failed call that is' : `${figure.format(unexcused)} failed calls that are`;
  return `${failedCallsText(job)}, and it has ${which} neither superseded nor its caller's own mistake`;
}

const finished = (job: JobToExplain, status: 'completed' | 'failed' | 'cancelled') => ({
  status,
  failedCalls: job.failedCalls,
  totalTokens: job.totalTokens,
  totalCostUsd: job.totalCostUsd,
  terms: job.terms,
});

/** What an open job would be charged if it were completed now. */
function explainOpen(job: JobToExplain): ChargeVerdict {
  const { rule, price } = decideCharge(finished(job, 'completed'), job.billing);
  const verdict = (sentence: string): ChargeVerdict => ({ charged: false, credits: 0, rule: 'open', price, sentence });
  const isFinal = (job.terms?.policy ?? 'strict') === 'strict';
  if (rule === 'failed_calls' && isFinal) return verdict(`Not charged: ${freeByCalls(job)}, however it ends.`);
  const soFar = 'Not charged so far, because the job is open.';
  if (rule === 'failed_calls') return verdict(`${soFar} Completed now, it would be free: ${freeByCalls(job)}.`);
  if (rule === 'price_zero') return verdict(`${soFar} Completed now, it would be free: ${priceOfJob(price)}.`);
  if (rule === 'price_too_high') return verdict(`${soFar} Completed now, it would be free: ${tooHighText(price)}.`);
  const isPayable = job.creditLimit === null || job.creditsAvailable >= price;
  const less =
    job.creditsHeld === null ? 'the job would be free' : `the job would cost ${reservedText(job.creditsHeld)}`;
  const balance = isPayable ? '' : `, but the team has only ${creditsText(job.creditsAvailable)} left, and ${less}`;
  return verdict(`${soFar} Completed now, it would cost ${creditsText(price)}: ${priceText(job, price)}${balance}.`);
}

/** The verdict of a job that was charged. */
function explainCharged(job: JobToExplain, price: number): ChargeVerdict {
  const { creditsCharged: credits, creditsRemaining, refund } = job;
  const balance = `The team had ${creditsText(creditsRemaining + credits)} before and ${creditsText(creditsRemaining)} after.`;
  const reserved = credits < price ? `, but no more than ${reservedText(credits)} was available` : '';
  const charged = `Charged ${creditsText(credits)}: ${chargeableText(job)}, and ${priceText(job, price)}${reserved}. ${balance}`;
  if (!refund) return { charged: true, credits, rule: 'charged', price, sentence: charged };
  const refunded = `Refunded ${creditsText(refund.credits)} on ${refund.at}${quoted(refund.reason)}.`;
  return { charged: true, credits, rule: 'refunded', price, sentence: `${charged} ${refunded}` };
}

/** What a job was charged, and why: by the same function that charges. `spec 19.25` */
export function explainCharge(job: JobToExplain): ChargeVerdict {
  if (!isFinished(job.status)) return explainOpen(job);
  const { rule, price } = decideCharge(finished(job, job.status), job.billing);
  if (job.creditsCharged > 0) return explainCharged(job, price);
  const free = (decided: VerdictRule, why: string): ChargeVerdict => ({
    charged: false,
    credits: 0,
    rule: decided,
    price,
    sentence: `Not charged: ${why}.`,
  });
  switch (rule) {
    case 'failed':
      return free(rule, `${failedText(job)}, and ${freeUnlessCompleted(job)}`);
    case 'cancelled':
      return free(rule, `${cancelledText(job)}, and ${freeUnlessCompleted(job)}`);
    case 'failed_calls':
      return free(rule, `the job was completed, but ${freeByCalls(job)}`);
    case 'price_zero':
      return free(rule, `${chargeableText(job)}, and ${priceOfJob(price)}`);
    case 'price_too_high':
      return free(
        rule,
        `${job.status === 'completed' ? 'the job was completed' : chargeableText(job)}, and ${priceText(job, price)}, but ${tooHighText(price)}`,
      );
    case 'price':
      return free(
        'balance_too_low',
        `${chargeableText(job)}, and ${priceText(job, price)}, but ${tooLowText(job, price)}`,
      );
  }
}
