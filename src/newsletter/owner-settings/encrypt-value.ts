import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/**
 * Encrypts a setting that contains a password (AES-256-GCM), so that a backup or a copied database doesn't reveal it.
 * @param name the setting's name; the value can only be decrypted with the same name, so values can't be swapped
 * @param secret the signing secret
 */
export function encryptValue(name: string, value: string, secret: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', makeKey(secret), iv).setAAD(Buffer.from(name));
  const encrypted = [cipher.update(value, 'utf8'), cipher.final()];
  return Buffer.concat([iv, cipher.getAuthTag(), ...encrypted]).toString('base64url');
}

/** @returns undefined if the value was encrypted with another secret, or is damaged */
export function decryptValue(name: string, encrypted: string, secret: string): string | undefined {
  const bytes = Buffer.from(encrypted, 'base64url');
  const [iv, tag] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)];
  try {
    const decipher = createDecipheriv('aes-256-gcm', makeKey(secret), iv, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(name)).setAuthTag(tag);
    const value = [decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()];
    return Buffer.concat(value).toString('utf8');
  } catch {
    return undefined;
  }
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

function makeKey(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', 'passwords of the owner’s settings', 32));
}
