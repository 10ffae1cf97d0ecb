import { z } from 'zod';
import { SCHEMAS } from '../parse-content.ts';

/** @returns a JSON Schema for each YAML file of content/, as text by its file name in content/schemas/ */
export function makeJsonSchemas(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(SCHEMAS).map(([name, schema]) => [
      `${name}.json`,
      // Editors support draft 7 best; a field with a default may be left out.
      `${JSON.stringify(z.toJSONSchema(schema, { io: 'input', target: 'draft-7' }), null, 2)}\n`,
    ]),
  );
}
