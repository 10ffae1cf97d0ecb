import { withoutAddresses } from '#shared/without-addresses.ts';

/** Why a delivery did not arrive. The reason is kept and shown, so it never holds an address. */
export class DeliveryFailure extends Error {
  override name = 'DeliveryFailure';
  /** The other side has said that trying again is of no use. */
  readonly isPermanent: boolean;
  /** What a mail server's refusal concerns; undefined for anything else. */
  readonly refused: Refused | undefined;

  constructor(reason: string, isPermanent = false, refused?: Refused) {
    super(withoutAddresses(reason).replace(/\s+/g, ' ').slice(0, MAX_CHARACTERS));
    this.isPermanent = isPermanent;
    this.refused = refused;
  }
}

/** This one address; the sender's login; the pace at which mails come. */
export type Refused = 'recipient' | 'login' | 'pace';

const MAX_CHARACTERS = 300;
