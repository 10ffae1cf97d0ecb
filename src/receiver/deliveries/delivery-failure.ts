import { withoutAddresses } from '../without-addresses.ts';

/** Why a delivery did not arrive. The reason is kept and shown, so it never holds an address. */
export class DeliveryFailure extends Error {
  override name = 'DeliveryFailure';
  /** The other side has said that trying again is of no use. */
  readonly isPermanent: boolean;

  constructor(reason: string, isPermanent = false) {
    super(withoutAddresses(reason).replace(/\s+/g, ' ').slice(0, MAX_CHARACTERS));
    this.isPermanent = isPermanent;
  }
}

const MAX_CHARACTERS = 300;
