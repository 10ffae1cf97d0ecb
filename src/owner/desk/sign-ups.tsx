import type { WeekOfSignUps } from '#list/sign-ups-by-week.ts';
import { Part, Table } from './frame.tsx';
import { format, formatDate } from './words.ts';

/** Each dot is a person, unless a week has too many to be counted by eye. */
export function SignUps({ weeks }: { weeks: WeekOfSignUps[] }) {
  const most = Math.max(...weeks.map(({ count }) => count));
  const areDots = most <= MAX_DOTS;
  const name = (week: WeekOfSignUps, index: number) =>
    index === weeks.length - 1 ? 'This week' : format({ day: 'numeric', month: 'short' }, week.from);
  return (
    <Part wide title="Sign-ups by week" note={areDots && 'Each dot is one person'}>
      <div className="weeks" aria-hidden="true">
        {weeks.map((week, index) => (
          <div key={week.from}>
            <b>{week.count}</b>
            {areDots ? (
              <span className="dots">
                {Array.from({ length: week.count }, (_, dot) => (
                  <i key={dot} className="dot done" />
                ))}
              </span>
            ) : (
              <svg viewBox="0 0 10 100" width="26" height="120" preserveAspectRatio="none">
                <rect x="0" y={100 - (100 * week.count) / most} width="10" height={(100 * week.count) / most} />
              </svg>
            )}
            <small>{name(week, index)}</small>
          </div>
        ))}
      </div>
      <details>
        <summary>The same as a table</summary>
        <Table heads={['Week from', { number: 'Sign-ups' }]}>
          {weeks.map((week) => (
            <tr key={week.from}>
              <td>{formatDate(week.from)}</td>
              <td className="number">{week.count}</td>
            </tr>
          ))}
        </Table>
      </details>
    </Part>
  );
}

const MAX_DOTS = 18;
