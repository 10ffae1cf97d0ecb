declare module '@adobe/structured-data-validator' {
  /** Checks structured data against what Google asks of the kinds it shows. */
  export default class Validator {
    validate(extracted: {
      jsonld: Record<string, object[]>;
      microdata: object;
      rdfa: object;
      errors: object[];
    }): Promise<{ issueMessage: string; severity: 'ERROR' | 'WARNING' }[]>;
  }
}
