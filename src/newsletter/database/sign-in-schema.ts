/** Something that signs somebody in once: a link with its code, or a passkey's challenge. */
export type DeskLink = {
  /** Keyed hash of the link's token or of the challenge. */
  id: string;
  kind: 'terminal' | 'email' | 'passkey';
  /** The person it signs in; null for a link from the terminal, and for a passkey that isn't known yet. */
  email: string | null;
  /** Keyed hash of the code in the email. */
  code: string | null;
  /** Keyed hash of the cookie of the browser that asked for the email. */
  browser: string | null;
  /** Keyed hash of the network that asked for the email. */
  network: string | null;
  /** How many codes were tried. */
  tries: number;
  expires_at: string;
};

/** A browser that is signed in to the desk. */
export type DeskSession = {
  /** Keyed hash of its cookie. */
  id: string;
  /** Null after a link from the terminal until an address is given. */
  email: string | null;
  /** The browser's name, for example `Safari on a Mac`. */
  browser: string;
  way: DeskLink['kind'];
  created_at: string;
  seen_at: string;
};

export type DeskPasskey = {
  /** The credential's id in base64url. */
  id: string;
  email: string;
  /** The browser that added it. */
  name: string;
  /** In base64url. */
  public_key: string;
  /** How often it has been used, according to its device; 0 if the device doesn't count. */
  counter: number;
  /** The domain that it was created for. */
  rp_id: string;
  used_at: string | null;
};
