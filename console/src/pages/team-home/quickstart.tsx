import { useQuery } from '@tanstack/react-query';
import { wholeUrl } from '../../api/base.ts';
import { teamQuery } from '../../api/teams.ts';
import { CopyBlock } from '../../components/ui/copy-block.tsx';
import { Section } from '../../components/ui/detail-page.tsx';
import { firstJobCurl } from '../../format/first-job-curl.ts';
import styles from './team-home.module.css';

/** How to make a job, with the address at which this page was reached. The key is not in it: a page does not have it. */
export function Quickstart({ teamId }: { teamId: string }) {
  const modelGroup = useQuery(teamQuery(teamId)).data?.model_groups[0] ?? 'YOUR_MODEL_GROUP';
  return (
    <Section title="Quickstart">
      <div className={styles.quickstart}>
        <div>
          <p className="muted">
            A job with one call, where <code>VIRTUAL_KEY</code> is your key
          </p>
          <CopyBlock
            label="Copy the call"
            text={firstJobCurl({ url: wholeUrl('/api/jobs/create-and-call'), teamId, modelGroup })}
          />
        </div>
        <div>
          <p className="muted">With a client of OpenAI</p>
          <CopyBlock
            label="Copy the settings"
            text={`export OPENAI_BASE_URL=${wholeUrl('/v1')}\nexport OPENAI_API_KEY=$VIRTUAL_KEY`}
          />
        </div>
      </div>
    </Section>
  );
}
