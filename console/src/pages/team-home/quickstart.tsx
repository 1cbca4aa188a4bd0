import { wholeUrl } from '../../api/base.ts';
import { FirstJob } from '../../components/first-job/first-job.tsx';
import { CopyBlock } from '../../components/ui/copy-block.tsx';
import { Section } from '../../components/ui/detail-page.tsx';
import styles from './team-home.module.css';

/** How to make a job, with the address at which this page was reached. The key is not in it: a page does not have it. */
export const Quickstart = () => (
  <Section title="Quickstart">
    <div className={styles.quickstart}>
      <div>
        <FirstJob />
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
