declare module '@adobe/structured-data-validator' {
  /** Checks structured data against Google's requirements for the types that it shows. */
  export default class Validator {
    validate(extracted: {
      jsonld: Record<string, object[]>;
      microdata: object;
      rdfa: object;
      errors: object[];
    }): Promise<{ issueMessage: string; severity: 'ERROR' | 'WARNING' }[]>;
  }
}
