import type { ReactNode } from 'react';

/** Something that needs the owner's attention: its title, its cause and one button. */
export type Task = { title: string; cause: ReactNode; action: ReactNode };

type TasksProps = { tasks: Task[] };

export function Tasks({ tasks }: TasksProps) {
  if (tasks.length === 0) return null;
  return (
    <div className="tasks">
      {tasks.map(({ title, cause, action }) => (
        <section key={title}>
          <div>
            <h2>{title}</h2>
            <p>{cause}</p>
          </div>
          {action}
        </section>
      ))}
    </div>
  );
}
