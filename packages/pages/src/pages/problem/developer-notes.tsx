import { usePageFrame } from "../../components/page-frame.tsx";
import { developerHints } from "./developer-hints.ts";
import type { PageProblem } from "./page-problem.ts";

/**
 * For developers, in development only, in English: the failing check, what it saw, and its likely
 * causes in order.
 */
export function DeveloperNotes({ problem }: { problem: PageProblem }) {
  const { site } = usePageFrame();
  if (!site.development) return null;
  const { reason, detail, inspectorURL } = problem;
  const hints = developerHints(problem, site);
  if (hints.length === 0 && detail === undefined && inspectorURL === undefined) return null;
  return (
    <section className="developer" lang="en" dir="ltr" aria-labelledby="developer">
      <h2 id="developer">For developers</h2>
      <p>
        Failing check: <code>{reason}</code>.
      </p>
      {detail !== undefined && <p>{detail}</p>}
      {hints.length > 0 && (
        <>
          <p>Likely causes, in order:</p>
          <ol>
            {hints.map((hint) => (
              <li key={hint}>{hint}</li>
            ))}
          </ol>
        </>
      )}
      {inspectorURL !== undefined && (
        <p>
          <a href={inspectorURL}>This sign-in, step by step</a>
        </p>
      )}
      <p className="quiet">Shown in development only.</p>
    </section>
  );
}
