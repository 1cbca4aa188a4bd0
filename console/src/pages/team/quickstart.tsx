import { servicePath } from '../../api/base.ts';
import { CopyBlock } from '../../components/copy-block.tsx';
import styles from './team.module.css';

/** How to make a job, with the address at which this page was reached. The key is not in it: a page does not have it. */
export function Quickstart({ teamId }: { teamId: string }) {
  const address = window.location.origin + servicePath;
  return (
    <section>
      <h2>Quickstart</h2>
      <div className={styles.quickstart}>
        <div>
          <p className="muted">With a client of OpenAI</p>
          <CopyBlock
            label="Copy the settings"
            text={`export OPENAI_BASE_URL=${address}v1\nexport OPENAI_API_KEY=$VIRTUAL_KEY`}
          />
        </div>
        <div>
          <p className="muted">A job with one call</p>
          <CopyBlock label="Copy the call" text={singleCall(address, teamId)} />
        </div>
      </div>
    </section>
  );
}

const singleCall = (address: string, teamId: string): string =>
  `curl ${address}api/jobs/create-and-call \\
  -H "Authorization: Bearer $VIRTUAL_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"team_id": "${teamId}", "job_type": "first_try",
       "model": "YOUR_MODEL_GROUP",
       "messages": [{"role": "user", "content": "Hello"}]}'`;
