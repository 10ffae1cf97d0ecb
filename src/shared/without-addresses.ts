/**
 * Removes whatever may be an e-mail address: servers like to quote the one that they refuse, in URLs encoded, in
 * reports with the @ as `+40` (RFC 3461) or as an entity.
 */
export function withoutAddresses(text: string): string {
  return text.replace(ADDRESS, '…');
}

const ADDRESS = /[^\s<>"(),;:]*(?:[@＠﹫]|%(?:25)*40|[+=]40|&#0*64;?|&#x0*40;?|&commat;)[^\s<>"(),;:]*/gi;
