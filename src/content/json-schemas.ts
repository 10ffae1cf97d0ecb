import { z } from 'zod';
import { brandSchema } from '#shared/brand.ts';
import {
  agencySchema,
  consentSchema,
  faqSchema,
  homeSchema,
  mailsSchema,
  pagesSchema,
} from '#shared/content-schema.ts';

/** @returns a JSON Schema for each YAML file of content/, as text by its file name in content/schemas/ */
export function jsonSchemas(): Record<string, string> {
  return Object.fromEntries(
    Object.entries({
      agency: agencySchema,
      brand: brandSchema,
      consent: consentSchema,
      faq: faqSchema,
      home: homeSchema,
      mail: mailsSchema,
      pages: pagesSchema,
    }).map(([name, schema]) => [
      `${name}.json`,
      // Draft 7 is what editors' YAML support knows best; what has a default may be left out.
      `${JSON.stringify(z.toJSONSchema(schema, { io: 'input', target: 'draft-7' }), null, 2)}\n`,
    ]),
  );
}
