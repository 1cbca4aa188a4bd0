import { useQuery } from '@tanstack/react-query';
import { useSession } from '../../api/session.ts';
import { teamQuery } from '../../api/teams.ts';
import type { TeamWithKey } from '../../api/types.ts';
import { None, Section } from '../../components/ui/detail-page.tsx';
import { Facts } from '../../components/ui/facts.tsx';
import { Time } from '../../components/ui/time.tsx';
import { formatCount } from '../../format/number.ts';
import styles from './team-home.module.css';

/** What happens to the team's jobs at 0 credits, and whom to ask. */
export function WithoutCredits({ teamId }: { teamId: string }) {
  const { support_contact } = useSession();
  const { data: team, error } = useQuery(teamQuery(teamId));
  if (error) return null;
  return (
    <Section title="When credits run out">
      {team ? (
        <Facts
          facts={[
            ['New jobs', newJobs(team)],
            ['Open jobs', openJobs(team)],
            ['Next refill', refill(team)],
            ['Ask for more', <Contact key="contact" of={support_contact} />],
          ]}
        />
      ) : (
        <None>…</None>
      )}
    </Section>
  );
}

function newJobs({ credits, low_balance_policy }: TeamWithKey) {
  if (credits.credit_limit === null) return 'go on: the budget is unlimited, and the balance may fall below 0';
  return {
    allow: 'are accepted and answered, and are not charged when they complete',
    block: <span className={styles.stops}>are refused: “Insufficient credits”</span>,
    reserve: (
      <span className={styles.stops}>
        are refused when what is left does not cover what they reserve: “Insufficient credits”
      </span>
    ),
  }[low_balance_policy];
}

function openJobs({ credits, low_balance_policy }: TeamWithKey): string {
  if (credits.credit_limit === null) return 'go on and are charged';
  return low_balance_policy === 'reserve'
    ? 'go on: their credits are reserved'
    : 'go on, and are not charged if the balance does not cover them when they complete';
}

const refill = ({ credits, refill_amount, refill_up_to, next_refill_at }: TeamWithKey) =>
  credits.auto_refill && next_refill_at ? (
    <>
      {formatCount(refill_amount ?? 0, 'credit')}
      {refill_up_to !== null && `, up to a balance of ${refill_up_to}`} on <Time at={next_refill_at} />
    </>
  ) : (
    'none: credits are allocated by the operator'
  );

const isUrl = (text: string): boolean => /^https?:\/\//.test(text);
const isEmail = (text: string): boolean => /^[^\s@<>]+@[^\s@<>]+$/.test(text);

/** Whom to ask, as the operator has named it. */
function Contact({ of }: { of: string | null }) {
  if (of === null) return 'whoever gave you the key';
  if (isUrl(of)) return <a href={of}>{of}</a>;
  return isEmail(of) ? <a href={`mailto:${of}`}>{of}</a> : of;
}
