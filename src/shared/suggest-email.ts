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
  // No domain ends like this.
  const fixed = domain
    .replace(/\.(con|cmo|ocm|c+o+m+|co[a-z]m|com[a-z]|[vx]om|c[ip]m)$/, '.com')
    .replace(/\.(couk|co\.ku|cou\.k|c(on|om)?\.uk|co\.u[jl]?|co\.[iy]?k|co\.uk[a-z])$/, '.co.uk')
    .replace(/\.(ogr|rog|og|orgg)$/, '.org')
    .replace(/\.(nte|ent|nett)$/, '.net')
    .replace(/\.(d(de?|ee)|ed)$/, '.de');
  // After these providers' names such an ending is a typo; other companies use it.
  const asCom = fixed.replace(/\.(co?|c?m|om)$/, '.com');
  if (PROVIDERS.includes(asCom)) return asCom;
  if (REAL.test(asCom)) return fixed;
  // Names with fewer than five letters are too much like others.
  const near = PROVIDERS.find((provider) => /^\w{5}/.test(provider) && isOneTypoAway(provider, asCom));
  return near ?? fixed.replace(/^(gmail|icloud)\..*/, '$1.com');
}

const PROVIDERS =
  'gmail.com hotmail.com outlook.com yahoo.com icloud.com hotmail.co.uk yahoo.co.uk googlemail.com live.com live.co.uk aol.com msn.com btinternet.com protonmail.com virginmedia.com'.split(
    ' ',
  );

/** Domains that resemble a provider's but are in use, many of them with a different first letter. */
const REAL = /^([^g]?mail|gr?ail|.?cloud|[wz]ahoo)\.com$/;

/** Whether one letter is missing, added or different, or two are swapped. */
function isOneTypoAway(one: string, other: string): boolean {
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
