/**
 * Suggests the address that was probably meant if a domain looks mistyped. It is only a suggestion: the address may be
 * right. Visitors download this, so it is small.
 * @returns undefined if nothing looks mistyped
 */
export function suggestEmail(typed: string): string | undefined {
  const email = typed.trim();
  const at = email.lastIndexOf('@') + 1;
  const domain = email.slice(at).toLowerCase();
  const meant = at > 1 ? correctDomain(domain) : domain;
  return meant === domain ? undefined : email.slice(0, at) + meant;
}

function correctDomain(domain: string): string {
  if (REAL.test(domain)) return domain;
  // No such endings exist.
  const fixed = domain
    .replace(/\.(con|cmo|ocm|comm|ccom|coom|copm|vom|xom|cpm|cim)$/, '.com')
    .replace(/\.(couk|co\.ku|cou\.k|c\.uk|co\.u|co\.k)$/, '.co.uk')
    .replace(/\.(ogr|rog)$/, '.org')
    .replace(/\.(nte|ent)$/, '.net')
    .replace(/\.(dee|dde|dd)$/, '.de');
  // For these providers such an ending is a typo; other companies use it.
  const asCom = fixed.replace(/\.(co?|c?m|om)$/, '.com');
  if (PROVIDERS.includes(asCom)) return asCom;
  // Short names are too much like others.
  const near = PROVIDERS.find((provider) => provider.length > 8 && isOneSlipAway(provider, asCom));
  return near ?? fixed.replace(/^(gmail|icloud)\..*/, '$1.com');
}

const PROVIDERS =
  'gmail.com hotmail.com outlook.com yahoo.com icloud.com hotmail.co.uk yahoo.co.uk googlemail.com live.com live.co.uk aol.com msn.com btinternet.com protonmail.com virginmedia.com'.split(
    ' ',
  );

/** Domains that resemble a provider's but are in use. */
const REAL = /^(mail|email|ymail|cloud)\.com$/;

/** Whether one letter is missing, added or different, or two are swapped. */
function isOneSlipAway(one: string, other: string): boolean {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const [left, right] = [one.slice(at), other.slice(at)];
  return (
    left.slice(1) === right.slice(1) ||
    left === right.slice(1) ||
    left.slice(1) === right ||
    (left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2))
  );
}
