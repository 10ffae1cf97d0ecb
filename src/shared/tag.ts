/** A third party's script as content/agency.yaml describes it (src/content/schemas/agency-schema.ts checks it). */
export type Tag = {
  id: string;
  category: 'preferences' | 'statistics' | 'marketing';
  provider: string;
  purpose: string;
  cookies: StoredItem[];
  storage: StoredItem[];
  /** Hosts in addition to those for its kind; for scripts, styles, images, frames and outgoing requests. */
  hosts: string[];
} & TagKind;

/** An item that a tag stores, and how long it lasts; a `*` at the end of the name matches any ending. */
type StoredItem = { name: string; duration: string };

type TagKind =
  | { kind: 'plausible'; src: string }
  | { kind: 'ga4'; measurementId: string; adsId?: string | undefined }
  | { kind: 'linkedin'; partnerId: string }
  | { kind: 'meta'; pixelId: string }
  | { kind: 'matomo'; url: string; siteId: string; src?: string | undefined }
  | { kind: 'calendly' }
  | {
      kind: 'script';
      src: string;
      variables: Record<string, unknown>;
      attributes: Record<string, string>;
      inlineStyles: boolean;
    };
