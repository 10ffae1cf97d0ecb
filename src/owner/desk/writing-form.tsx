import { agency } from 'virtual:content';
import { LogoMark } from '#site/ui/logo-mark.tsx';
import type { ReadUpdate } from '../updates/read-update-file.ts';
import type { Desk } from './desk-types.ts';
import { fill } from './mail-preview.ts';
import { Form, Field, Notice, Tabs } from './parts.tsx';
import { NEW, type Writing, writingPath } from './update-files.ts';

type Props = {
  desk: Desk;
  name: string;
  writing: Writing;
  /** Of the file that was read. */
  version: string;
  /** Where there is a draft beside the file. */
  draftNote: string | undefined;
  view: string;
  /** Undefined where there is no file yet; an error where it cannot be sent. */
  update: ReadUpdate | Error | undefined;
};

/** The words on the left, the mail beside them. */
export function WritingForm({ desk, name, writing, version, draftNote, view, update }: Props) {
  const path = writingPath(name);
  return (
    <div className="write">
      <div>
        {draftNote !== undefined && <DraftNote path={path} note={draftNote} />}
        <Words path={path} writing={writing} version={version} />
      </div>
      <div>
        <Tabs
          label="Preview"
          links={Object.entries(VIEWS).map(([each, words]) => ({
            href: `${name === NEW ? '/updates/new' : path}?view=${each}`,
            words,
            isChosen: each === view,
          }))}
        />
        <Inbox writing={writing} />
        {update === undefined && <p className="quiet">Save it to see it as an email.</p>}
        {update instanceof Error && <Notice kind="error" text={`This cannot be sent yet.\n${update.message}`} />}
        {update !== undefined &&
          !(update instanceof Error) &&
          // The text of a mail is the same for every scheme and width.
          (view === 'text' ? (
            <pre>{fill(desk, update.template).text}</pre>
          ) : (
            <Frames path={path} view={view} version={version} />
          ))}
      </div>
    </div>
  );
}

const VIEWS = { phone: 'Phone', computer: 'Computer', text: 'Plain text' };

function DraftNote({ path, note }: { path: string; note: string }) {
  return (
    <Form action={`${path}/throw-away`}>
      <p>
        {note}{' '}
        <button className="link" type="submit">
          Throw the draft away
        </button>
      </p>
    </Form>
  );
}

function Words({ path, writing, version }: { path: string; writing: Writing; version: string }) {
  return (
    <Form action={path} id="write" encType="multipart/form-data" data-draft={`${path}/draft`}>
      <input type="hidden" name="version" value={version} />
      <Field id="subject" label="Subject" defaultValue={writing.subject} maxLength={200} required />
      <Field id="preview" label="Second line in the inbox" defaultValue={writing.preview} maxLength={300} />
      <Field
        as="textarea"
        id="text"
        label="Text"
        hint="A line with # is a heading, - a list, **two stars** bold. Drop a picture where you want it."
        defaultValue={writing.text}
        spellCheck
      />
      <details>
        <summary>Add a picture from a file</summary>
        <Field
          id="picture"
          label="Picture"
          hint="It is put at the end of the text when you save."
          type="file"
          accept="image/png,image/jpeg,image/gif"
        />
      </details>
    </Form>
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

function Frames({ path, view, version }: { path: string; view: string; version: string }) {
  return (
    <div className={view === 'computer' ? 'phones one' : 'phones'}>
      {(['light', 'dark'] as const).map((scheme) => (
        <figure key={scheme}>
          <figcaption>{scheme === 'light' ? 'Light' : 'Dark'}</figcaption>
          <iframe
            className={scheme}
            title={`The email, ${scheme}`}
            src={`${path}/mail/${scheme}?v=${version}`}
            sandbox=""
          />
        </figure>
      ))}
    </div>
  );
}
