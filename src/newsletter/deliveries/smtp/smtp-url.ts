/**
 * Requires encryption in SMTP_URL, unless the URL says `?requireTLS=false`: the password and email addresses must not
 * leave this machine in the clear.
 */
export function requireEncryption(smtpUrl: string): string {
  const url = new URL(smtpUrl);
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (!isLoopback && !url.searchParams.has('requireTLS')) url.searchParams.set('requireTLS', 'true');
  return url.href;
}

/** For the owner, if the mail server doesn't offer encryption. */
export const NO_ENCRYPTION =
  'the mail server offers no encryption (STARTTLS). Choose its encrypted port, 465. In .env, ?requireTLS=false at the end of SMTP_URL allows an unencrypted connection; use it only if you control the network in between';

/** For the owner, if the mail server's certificate has another name, has expired, or is from an unknown issuer. */
export const UNTRUSTED_CERTIFICATE =
  'the mail server’s certificate cannot be trusted. Use the host name that your mail provider gives you, or ask the provider';
