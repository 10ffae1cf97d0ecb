/** Why a delivery did not arrive. The reason is kept and shown, so it never holds an address. */
export class DeliveryFailure extends Error {
  override name = 'DeliveryFailure';
  /** The other side has said that trying again is of no use. */
  readonly isPermanent: boolean;

  constructor(reason: string, isPermanent = false) {
    super(withoutAddresses(reason));
    this.isPermanent = isPermanent;
  }
}

/** Servers like to quote the address that they refuse. */
function withoutAddresses(text: string): string {
  return text
    .replace(/[^\s<>"'(]*@[^\s<>"')]*/g, '…')
    .replace(/\s+/g, ' ')
    .slice(0, 300);
}
