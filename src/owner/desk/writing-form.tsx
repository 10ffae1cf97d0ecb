import { agency } from 'virtual:content';
import { LogoMark } from '#site/ui/logo-mark.tsx';
import type { ReadUpdate } from '../updates/read-update-file.ts';
import type { Desk } from './desk-types.ts';
import { ActionForm, Dot, Field, Input, Notice } from './frame.tsx';
import { fill } from './mail-preview.ts';
import { NEW, type Writing, writingPath } from './update-files.ts';

/** Mistakes, by the part of the page that says so. */
export type Mistake = {
  subject?: string;
  file?: string;
  picture?: string;
  test?: string;
  send?: string;
  typed?: string;
};

const VIEWS = { phone: 'Phone', computer: 'Computer', text: 'Plain text' };

export type WritingPage = {
  name: string;
  writing: Writing;
  version: string;
  mistake: Mistake;
  hasDraft: boolean;
  view: string;
  preview: ReadUpdate | Error | undefined;
};

/** The words on the left, the mail beside them. */
export function WritingForm({ desk, page }: { desk: Desk; page: WritingPage }) {
  const { name, writing, mistake, hasDraft, view, preview } = page;
  const path = writingPath(name);
  return (
    <div className="write">
      <div>
        {mistake.file !== undefined && <ChangedOnDisk message={mistake.file} />}
        {hasDraft && <DraftNote desk={desk} path={path} />}
        <Words desk={desk} path={path} page={page} />
      </div>
      <div>
        <Views path={name === NEW ? '/updates/new' : path} view={view} />
        <Inbox writing={writing} />
        {preview === undefined && <p className="quiet">Save it to see it as a mail.</p>}
        {preview instanceof Error && <Notice kind="error" text={`This cannot be sent yet.\n${preview.message}`} />}
        {preview !== undefined && !(preview instanceof Error) && (
          <Preview desk={desk} path={path} view={view} update={preview} version={page.version} />
        )}
      </div>
    </div>
  );
}

function ChangedOnDisk({ message }: { message: string }) {
  return (
    <>
      <Notice kind="error" text={message} />
      <div className="acts">
        <button className="button danger" type="submit" form="write" name="overwrite" value="yes">
          Write mine over it
        </button>
      </div>
    </>
  );
}

function DraftNote({ desk, path }: { desk: Desk; path: string }) {
  return (
    <ActionForm desk={desk} action={`${path}/throw-away`}>
      <p>
        These words are a draft; the preview shows the file.{' '}
        <button className="link" type="submit">
          Throw the draft away
        </button>
      </p>
    </ActionForm>
  );
}

function Words({ desk, path, page }: { desk: Desk; path: string; page: WritingPage }) {
  const { writing, version, mistake } = page;
  return (
    <ActionForm
      desk={desk}
      action={path}
      id="write"
      encType="multipart/form-data"
      data-draft={`${path}/draft`}
      data-pictures="/updates/pictures"
    >
      <input type="hidden" name="version" value={version} />
      <Input id="subject" label="Subject" error={mistake.subject} defaultValue={writing.subject} maxLength={200} />
      <Input id="preview" label="Second line in the inbox" defaultValue={writing.preview} maxLength={300} />
      <Field
        id="text"
        label="Text"
        error={mistake.picture}
        hint="A line with # is a heading, - a list, **two stars** bold. Drop a picture where you want it."
      >
        {(about) => <textarea {...about} name="text" defaultValue={writing.text} spellCheck />}
      </Field>
      <details>
        <summary>Add a picture from a file</summary>
        <Input
          id="picture"
          label="Picture"
          hint="It is put at the end of the text when you save."
          type="file"
          accept="image/png,image/jpeg,image/gif"
        />
      </details>
    </ActionForm>
  );
}

function Views({ path, view }: { path: string; view: string }) {
  return (
    <nav className="tabs" aria-label="Preview">
      {Object.entries(VIEWS).map(([each, label]) => (
        <a key={each} href={`${path}?view=${each}`} aria-current={each === view ? 'true' : undefined}>
          {each === view && <Dot kind="chosen" />} {label}
        </a>
      ))}
    </nav>
  );
}

function Inbox({ writing: { subject, preview } }: { writing: Writing }) {
  return (
    <div className="inbox">
      <span>
        <LogoMark />
      </span>
      <p>
        <b>{agency.name}</b>
      </p>
      <small className="quiet">09:00</small>
      <p>
        <b>{subject || 'Subject'}</b>
      </p>
      <p className="quiet">{preview || 'The second line'}</p>
    </div>
  );
}

function Preview({
  desk,
  path,
  view,
  update,
  version,
}: {
  desk: Desk;
  path: string;
  view: string;
  update: ReadUpdate;
  version: string;
}) {
  // The text of a mail is the same for every scheme and width.
  if (view === 'text') return <pre>{fill(desk, update.template).text}</pre>;
  return (
    <div className={view === 'computer' ? 'phones one' : 'phones'}>
      {(['light', 'dark'] as const).map((scheme) => (
        <figure key={scheme}>
          <figcaption>{scheme === 'light' ? 'Light' : 'Dark'}</figcaption>
          <iframe
            className={scheme}
            title={`The mail, ${scheme}`}
            src={`${path}/mail/${scheme}?v=${version}`}
            sandbox=""
          />
        </figure>
      ))}
    </div>
  );
}
