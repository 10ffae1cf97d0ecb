import type { Fill, SourceError } from './yaml-text.ts';

/** The facts in agency.yaml to which text may refer, as far as they could be read. */
export type Facts = {
  name?: string;
  legalName?: string;
  email?: string;
  founder?: { name?: string; formerEmployers?: { name?: string }[] };
  registration?: { number?: string; place?: string } | undefined;
  dataProtection?: { lead?: string; email?: string; regulator?: { name?: string; url?: string } };
};

/**
 * @param agency.isWhole whether every fact could be read: if not, an invalid fact is reported only on its own line
 * @returns a function that fills in `{name}` and the like, and reports braces that don't name a fact
 */
export function createPlaceholderFiller(facts: Facts, agency: { isWhole: boolean }): Fill {
  const values = listPlaceholders(facts);
  const known = Object.keys(values);
  return (text, report) =>
    text.replace(/\{+[^{}\n]*\}+|[{}]+[\w-]*/g, (found) => {
      const name = found.slice(1, -1);
      if (found.endsWith('}') && known.includes(name)) {
        const value = values[name];
        if (value === undefined && agency.isWhole)
          report(found, `agency.yaml does not say what ${found} is. Add it there, or leave ${found} out`);
        return value ?? '';
      }
      report(found, explain(found, known));
      return found;
    });
}

/** Fills in each line of a text. @param firstLine the line of its file on which the text begins */
export function fillLines(
  text: string,
  fill: Fill,
  { firstLine, errors }: { firstLine: number; errors: SourceError[] },
) {
  const lines = text
    .split('\n')
    .map((line, index) =>
      fill(line, (found, message) =>
        errors.push({ line: firstLine + index, column: line.indexOf(found) + 1, message }),
      ),
    );
  return lines.join('\n');
}

/** @returns the value of each placeholder, by its name without braces; undefined for a fact that is left out */
export function listPlaceholders(facts: Facts): Record<string, string | undefined> {
  const { name, legalName, email, founder, registration, dataProtection } = facts;
  const [employer1, employer2, employer3] = Array.isArray(founder?.formerEmployers) ? founder.formerEmployers : [];
  return {
    name,
    legalName,
    email,
    founder: founder?.name,
    employer1: employer1?.name,
    employer2: employer2?.name,
    employer3: employer3?.name,
    registrationNumber: registration?.number,
    registrationPlace: registration?.place,
    dataProtectionLead: dataProtection?.lead,
    dataProtectionEmail: dataProtection?.email,
    regulatorName: dataProtection?.regulator?.name,
    regulatorUrl: dataProtection?.regulator?.url,
  };
}

function explain(found: string, known: string[]): string {
  if (found.startsWith('}')) return `${found} has no { before it. Write a placeholder as {name}`;
  if (!found.endsWith('}')) return `${found} is not closed. Write } after it, or leave the { out`;
  return `${found} is not a placeholder. The known ones are ${known.map((key) => `{${key}}`).join(', ')}`;
}
