import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanPicture, measurePicture } from '#content/pictures/shrink-picture.ts';
import { Button, Field, Form } from '../ui.tsx';
import { namePicture } from '#content/source-files.ts';
import { storePicture } from '#newsletter/updates/stored-pictures.ts';
import { Undo } from './undo.tsx';
import { type FieldState, saveFields, readFields, type Site } from './draft.ts';

/** A picture with a file field, which is saved as part of the draft. */
export function PictureForms({ fields, markNote }: { fields: FieldState[]; markNote: string | undefined }) {
  return fields
    .filter(({ field }) => field.kind === 'picture')
    .map(({ key, field, value, isChanged }) => (
      <Form key={key} encType="multipart/form-data" className="picture">
        <Field
          id={key}
          label={field.label}
          note={isChanged ? 'not live yet' : undefined}
          hint={HINTS[field.name]}
          type="file"
          accept="image/*"
        />
        {value !== '' && <img src={`/desk/website/picture/${value as string}`} alt={`${field.label}, as it is now`} />}
        {field.name === 'mark' && markNote && <p className="notice">{markNote}</p>}
        <div className="line">
          <Button action="picture" values={{ field: key }}>
            Use this picture
          </Button>
          {value !== '' && (
            <Button action="default-picture" values={{ field: key }}>
              Use the default picture
            </Button>
          )}
        </div>
        <Undo at={key} />
      </Form>
    ));
}

const HINTS: Record<string, string> = {
  portrait: 'A portrait-format JPEG or PNG photo, at least 848 pixels wide. Location data is removed.',
  mark: 'A drawing (SVG) with text converted to outlines, or a PNG of at least 512 pixels.',
};

/** @param key such as `picture.mark` @throws an error for the owner if it isn't a picture that the site can show */
export async function keepPicture(site: Site, key: string, file: File | undefined): Promise<void> {
  const state = readFields(site).find((each) => each.key === key);
  if (state === undefined) throw new Error('There is no such picture.');
  if (file === undefined || file.size === 0) throw new Error('Choose a file first.');
  const name = key === 'picture.mark' ? await keepMark(site, file) : await keepPortrait(site, file);
  await saveFields(site, [state], new Map([[key, name]]), {});
}

async function keepPortrait(site: Site, file: File): Promise<string> {
  const { bytes, ending } = await cleanPicture(new Uint8Array(await file.arrayBuffer())).catch((error: Error) => {
    throw new Error(`${file.name}: ${error.message}.`, { cause: error });
  });
  return keepFile(site, bytes, ending);
}

/** Checks the file as the build would. */
async function keepMark(site: Site, file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const ending = new TextDecoder('latin1').decode(bytes.subarray(1, 4)) === 'PNG' ? '.png' : '.svg';
  const folder = mkdtempSync(join(tmpdir(), 'mark-'));
  try {
    const path = join(folder, `mark${ending}`);
    writeFileSync(path, bytes);
    // Imported here because it uses sharp, which takes time and memory to load.
    const { findUnreadable } = await import('#content/pictures/check-pictures.ts');
    const error = await findUnreadable(path);
    if (error !== undefined) throw new Error(`${file.name}: ${error}.`);
  } finally {
    rmSync(folder, { recursive: true });
  }
  return keepFile(site, bytes, ending);
}

async function keepFile({ store }: Site, bytes: Uint8Array, ending: string): Promise<string> {
  const name = namePicture(bytes, ending);
  const { width, height } = await measurePicture(bytes);
  await storePicture(store.db, name, { bytes, width, height });
  return name;
}
