import type { Fault } from '../../database/schema.ts';

/** The command that was replied to; `report` for a reply quoted in a bounce report, where the command is unknown. */
export type ReplyStage = 'MAIL FROM' | 'RCPT TO' | 'DATA' | 'report';

/** A rule in the table; a reply must match every condition that the rule sets. */
type ReplyRule = {
  stages?: ReplyStage[];
  /** The three digits. */
  codes?: RegExp;
  /** The enhanced status code; empty if the reply has none. */
  enhanced?: RegExp;
  /** The text without status codes and URLs. */
  words?: RegExp;
  fault: Fault | 'limit';
  /** A server that sends such replies, or the standard that defines them. */
  source: string;
};

const AFTER_RECIPIENT: ReplyStage[] = ['RCPT TO', 'DATA', 'report'];
const BEFORE_ACCEPTANCE: ReplyStage[] = ['MAIL FROM', 'RCPT TO', 'DATA'];

/** The meanings of rejections. Order matters: the first matching rule wins. */
export const REPLY_RULES: ReplyRule[] = [
  // The sending account has reached its limit. Bounce reports are left out: they quote other servers' limits.
  {
    stages: BEFORE_ACCEPTANCE,
    enhanced: /^(?:5\.4\.5|5\.1\.90|5\.7\.705)$/,
    fault: 'limit',
    source: 'Gmail 5.4.5 (daily user sending limit exceeded); Microsoft 365 5.1.90 and 5.7.705',
  },
  {
    stages: BEFORE_ACCEPTANCE,
    words:
      /^(?!.*(?:recipient address rejected|\bsize\b|receiv))(?=.*\b(?:exce\w+|reach\w+|hit)).*\b(?:(?:daily|hourly|24.?hour|monthly|weekly|send(?:ing)?|submission|relay|outbound|outgoing) (?:\w+ ){0,3}|messag(?:e|ing) )(?:limits?|quota)\b/i,
    fault: 'limit',
    source: 'Exchange 5.2.2 (submission quota); Amazon SES 454; IONOS 450; GoDaddy; SendGrid 451',
  },
  {
    stages: BEFORE_ACCEPTANCE,
    words:
      /\bunusual sending activity|SubmissionQuotaExceeded|queue quota exceeded|sorry, too many e-?mails|\bcredits? exceeded|\b(?:e-?mails|mails|messages|recipients)\b[^.]{0,40}(?: per |\/)(?:hour|day|month)|\blimit on the number of (?:\w+ ){0,2}(?:e-?mails|messages)|\bsender rate limit|\bexceeded hour limit|\b(?:relay|mail) quota (?:of|reached)|quota for outgoing|too many (?:e-?mails|messages) sent|\b(?:daily|sending) allowance|number of (?:e-?mails|messages) allowed/i,
    fault: 'limit',
    source:
      'Zoho 5.4.6; Exchange 5.2.0 (SubmissionQuotaExceededException) and 4.7.3; OVH (too many emails); SendGrid (maximum credits exceeded); cPanel (max emails per hour); Plesk (limit on the number of allowed outgoing messages); GoDaddy 552 (over your relay quota of 500)',
  },

  {
    stages: BEFORE_ACCEPTANCE,
    words:
      /^(?!.*\b(?:mailbox|disk|storage|recipient|receiv\w*)\b).*(?:\b(?:sending|daily|hourly|monthly) (?:\w+ )?(?:volume|quota) (?:is |has been |was )?(?:reached|exhausted|exceeded)|\bquota (?:is |has been )?exhausted|number of (?:allowed|outgoing) (?:e-?mails|messages)|\bplan limit|\bsent too many|too many (?:e-?mails|messages) from this|max defers and failures|\blimit of \d+ (?:e-?mails|mails|messages)|versandlimit|limite d['’]envoi|l[ií]mite de env[ií]o)/i,
    fault: 'limit',
    source: 'cPanel (max defers and failures per hour); OVH and others, also in German, French and Spanish',
  },
  {
    stages: BEFORE_ACCEPTANCE,
    codes: /^5/,
    words:
      /\bsending rate|\brate.?limit\b.{0,20} exceeded|too much mail from|(?:e-?mails|mails|messages) per session|concurrent (?:smtp )?(?:connections|sessions)/i,
    fault: 'limit',
    source: 'Amazon SES and Postfix say so with 4xx, which slows down sending; other servers with 5xx',
  },

  { stages: ['MAIL FROM'], fault: 'sender', source: 'RFC 5321, 3.3: at this point only the sender’s mailbox is known' },

  // Problems with the sender, in replies that also mention a mailbox.
  {
    words:
      /\bsender['’]s mailbox|\b(?:senders?|from) (?:verif|address|domain|e-?mail|rejected|denied|unknown|blocked|is |not )/i,
    fault: 'sender',
    source: 'Exim, sender verification; Postfix, reject_unknown_sender_domain and reject_sender_login_mismatch',
  },
  {
    words:
      /\b(?:domain of sender|verification failed for|return.?path|envelope.?from|mail from|backscatter|submission quota)\b|\bsender call-?(?:out|back)/i,
    fault: 'sender',
    source:
      'Exim, callout of the sender (“Callout verification failed” alone is the recipient’s); MDaemon, backscatter; Exchange 5.2.2',
  },
  { enhanced: /^[45]\.2\.2$/, fault: 'full', source: 'RFC 3463, 3.3: whatever the text says' },
  {
    words: /\b(?:mail ?box|storage|mail ?folder) (?:size )?(?:limit )?(?:is |has been |was )?(?:exc?eeded|exc?eeds)/i,
    fault: 'full',
    source: 'Yandex 552 (smtp.codes); Sisimai’s mailboxfull; spelled “exeeded” by some servers',
  },
  {
    words:
      /\byour (?:(?:user|smtp|e-?mail|mail|hosting|trial|free|sending|monthly|daily) ){0,2}(?:account|plan|quota|credits?)\b/i,
    fault: 'sender',
    source: 'Relays that block the owner’s own account: Brevo 5.7.0 (your SMTP account is not yet activated)',
  },
  {
    words:
      /\b(?:outgoing|outbound|sending)\b.{0,40} (?:disabled|blocked|suspended|suspension|hold\b)|\b(?:monthly|weekly)\b.{0,40} quota|credits? exceeded/i,
    fault: 'sender',
    source: 'SendGrid (maximum credits exceeded); cPanel (has an outgoing mail suspension, or hold)',
  },
  {
    words: /\b(?:un)?verified address\b/i,
    fault: 'sender',
    source: 'Postfix, reject_unverified_recipient: the next server didn’t respond; a rejection says “undeliverable”',
  },
  {
    words:
      /\b(?:too many(?! messages on)|excessive|too quickly|at a rate|exceeded (?:the |your )?max|per (?:hour|day))\b/i,
    fault: 'sender',
    source: 'Gmail 5.2.1 (receiving mail at a rate …); Yahoo (excessive unknown recipients); cPanel (emails per hour)',
  },
  {
    words:
      /^(?!.*\bover.?quota).*\b(?:send(?:ing)?|submission|relay(?:ing)?|daily|hourly|rate|message|recipient) (?:\w+ ){0,2}(?:limit|quota)/i,
    fault: 'sender',
    source: 'Exchange 5.2.2 (submission quota), 5.1.90; Gmail 5.4.5 (daily sending quota)',
  },
  {
    enhanced: /^5\.2\.1$/,
    words: /temporar/i,
    fault: 'sender',
    source: 'Titan (incoming temporarily suspended due to partner migration)',
  },
  {
    words: /\bfailure policy error|\bquarantined\b|accept delivery of this message|spamhaus/i,
    fault: 'sender',
    source: 'Zoho 552 5.1.1; Exchange and AOL, 5.2.1; GoDaddy 553 (5.1.3 in reports: a link to the block list)',
  },
  { enhanced: /^5\.(?:1\.[78]|2\.3|3\.4)$/, fault: 'sender', source: 'RFC 3463: sender’s address; mail too large' },
  { words: /\bsize\b|too (?:large|big)/i, codes: /^55[24]$/, fault: 'sender', source: 'RFC 5321, 4.2.3: mail size' },

  // Full mailboxes, including Google's OverQuotaPerm. Some servers report them as unknown users (5.1.1) as well.
  {
    stages: AFTER_RECIPIENT,
    words:
      /\bover.?(?:the |the allowed )?quota|quota (?:usage )?(?:is |has been )?(?:exceeded|exhausted|violation)|exceed\w* (?:\w+ ){0,3}(?:quota|storage|disk)|disk quota/i,
    fault: 'full',
    source: 'Yahoo 554 (over quota); Comcast (extended quota violation); qmail-toaster (user over quota, #5.1.1)',
  },
  {
    stages: AFTER_RECIPIENT,
    words:
      /(?:mailbox|inbox|mail ?folder|account|user|recipient)[^.]{0,30} full\b|full mailbox|(?:mailbox|postfach|bo[iî]te|casella|buz[oó]n)[^.]{0,30} (?:voll?|pleine|piena|lleno)\b|out of (?:storage )?space|(?:insufficient|not enough|not have enough) (?:\w+ ){0,2}space|exhausted (?:\w+ ){0,2}storage|space has been used|too many messages on the server/i,
    fault: 'full',
    source: 'Gmail 4.2.2 (out of storage space); web.de (exhausted allowed storage space); Sisimai’s mailboxfull',
  },

  // Codes that blame the mailbox.
  {
    enhanced: /^5\.1\.(?:1|2|3|6|10)$/,
    fault: 'mailbox',
    source: 'RFC 3463, 3.2; RFC 7505 (null MX); Exchange 5.1.10; Amazon SES 5.1.1 (suppression list)',
  },
  { enhanced: /^5\.2\.1$/, fault: 'mailbox', source: 'RFC 3463, 3.3; Gmail: the account is disabled or inactive' },
  {
    enhanced: /^5\.7\.13$/,
    words: /recipient/i,
    fault: 'mailbox',
    source: 'sendmail 525 (disabled recipient address)',
  },
  {
    enhanced: /^5\.(?:6\.7|7\.17|7\.504)$/,
    fault: 'mailbox',
    source: 'RFC 6531, 3.5 (non-ASCII local part); RFC 7293 (owner has changed); Microsoft 365',
  },
  {
    enhanced: /^5\.4\.(?:4|310)$/,
    words: /(?:host|domain)\b[^.]{0,30} (?:not found|does not exist)|unrout|invalid domain/i,
    fault: 'mailbox',
    source: 'Postfix 5.4.4; Microsoft 365 5.4.310: the domain is gone',
  },

  {
    stages: AFTER_RECIPIENT,
    words: /(?:compte du destinataire|recipient(?:['’]s)?(?: e-?mail)? account) (?:est|is) (?:bloqu|blocked)/i,
    fault: 'mailbox',
    source: 'La Poste 5.5.0 (the recipient account is blocked)',
  },

  // Problems with the sender, in replies that may mention users or mailboxes.
  {
    words: /\b(?:blocked|block.?list|black.?list|deny.?list|dnsbl|rbl|spam|junk|banned|reputation|unsolicited)/i,
    fault: 'sender',
    source: 'Outlook.com 5.7.1 (block list S3140), 5.7.606; Mimecast (poor reputation); Yahoo; Proofpoint',
  },
  {
    words: /\byour (?:ip|host|server|domain|network)\b|\bclient (?:host|address)\b|\bips?\b/i,
    fault: 'sender',
    source: 'Outlook.com 5.7.1; Postfix (client host rejected); QQ (IP frequency limited)',
  },
  {
    words:
      /\b(?:spf|dkim|dmarc|helo|ehlo|ptr|reverse (?:dns|lookup)|authenticat\w+|auth|log(?:ged)? in|senders?|not verified|complaints?)\b|pop before smtp|(?:allowed|permitted) to send/i,
    fault: 'sender',
    source: 'Gmail 5.7.26; Exchange 5.7.1 (authentication required); Amazon SES 554 (address is not verified)',
  },
  {
    words: /relay(?:ing)?(?: \w+)? (?:denied|prohibited|disallowed|not)|\bto relay|mail relay|rcpthosts/i,
    fault: 'sender',
    source: 'Postfix 5.7.1 (relay access denied); Exim (relay not permitted); qmail (rcpthosts)',
  },

  // Text that blames the mailbox, whatever the code: Yandex sends 5.7.1, Yahoo 554.
  {
    stages: AFTER_RECIPIENT,
    words:
      /no such (?:user|person|domain|recipient|mail|address|account|e-?mail|id\b)|no (?:mail ?box|account)\b|not our customer|recip(?:ient)?notfound/i,
    fault: 'mailbox',
    source: 'Exim, iCloud, Yandex (no such user); qmail (no mailbox here by that name); Comcast',
  },
  {
    stages: AFTER_RECIPIENT,
    words:
      /(?:user|recipient|mail ?box|address\w*|account|alias)\b.{0,80}\b(?:unknown|not known|(?:does not|doesn['’]t|not) exist|not (?:be )?found|couldn['’]t be found|not recogni[sz]ed|unrecognized|no longer)|\bno longer (?:works|exists|accepts|valid|a user)|not (?:listed|present) in (?:\w+ )?(?:directory|address book)|\bnot our user|\bmailbox not present|no one at this address|marked as invalid/i,
    fault: 'mailbox',
    source:
      'Postfix (user unknown in local recipient table); Exchange (recipient not found); Yahoo (is no longer valid)',
  },
  {
    stages: AFTER_RECIPIENT,
    words:
      /(?:unknown|invalid|non-?existent|bad)[ -](?:or \w+ )?(?:virtual |e-?mail |local |destination |final delivery )?(?:user|recipient|mail ?box|address|account|alias|part)/i,
    fault: 'mailbox',
    source: 'Mimecast (invalid recipient); Trend Micro (invalid-recipient); web.de (unknown local part)',
  },
  {
    stages: AFTER_RECIPIENT,
    words:
      /\bbadr(?:cpt|ecipient)to\b|not in my validrcptto|address rejected: inactive|deactivated mailbox|inactive (?:account|user)\b/i,
    fault: 'mailbox',
    source:
      'qmail’s lists of recipients (Sisimai’s userunknown); Rambler 540 5.7.1 (inactive); QQ (deactivated mailbox)',
  },
  {
    stages: AFTER_RECIPIENT,
    words: /doesn['’]t have an? \S+ account|not an? (?:valid|known|active|local) |unrouteable address/i,
    fault: 'mailbox',
    source: 'Yahoo 554 (dd This user doesn’t have a yahoo.com account); Exim (unrouteable address)',
  },
  {
    stages: AFTER_RECIPIENT,
    words:
      /(?:utilisateur|destinataire|adresse|compte) in(?:connue?|valide|existante?)|destinataire archivee|unbekannt|nicht bekannt|existiert nicht|desconocid|sconosciut|no existe|inesistente|onbekende?|nie ma takiego/i,
    fault: 'mailbox',
    source: 'Orange (destinataire invalide); web.de (Benutzer nicht bekannt); Sisimai’s userunknown (no existe)',
  },

  {
    stages: ['report'],
    words: /\b(?:host|domain) (?:\S+ )?(?:unknown|(?:name )?not found|does not exist)/i,
    fault: 'mailbox',
    source: 'sendmail (host unknown); Postfix (host or domain name not found); OpenSMTPD (domain does not exist)',
  },
  {
    stages: ['report'],
    words:
      /\btime(?:d |-)?out|connection (?:refused|reset)|\bexpired\b|unreachable|no route to host|failing for a long time|network error/i,
    fault: 'full',
    source: 'Exim (retry timeout exceeded); OpenSMTPD (envelope expired): no server responded for days',
  },

  // Policies and temporary conditions; their replies often include stock phrases about mailboxes.
  {
    words: /polic(?:y|ies)|content|virus|greylist|try (?:again|later)|tempor|\b(?:limit|rate|frequency)\b|throttl/i,
    fault: 'sender',
    source: 'GMX (reject due to policy restrictions); Mimecast; iCloud (local policy); Amazon SES (throttling)',
  },

  // Text that blames the mailbox, unless the code blames the message or a policy.
  {
    stages: AFTER_RECIPIENT,
    enhanced: /^(?:5\.[0-5]\.\d+)?$/,
    words:
      /mail ?box (?:\S+ ){0,4}?(?:unavailable|not available|disabled|inactive|deactivated|closed|frozen|suspended)/i,
    fault: 'mailbox',
    source: 'Outlook.com 5.5.0 (mailbox unavailable); GMX, web.de and 1&1 without a code; Yahoo 554.30',
  },
  {
    stages: AFTER_RECIPIENT,
    enhanced: /^(?:5\.[0-5]\.\d+)?$/,
    words:
      /(?:account|user|address|recipient)\b.{0,40}\b(?:disabled|closed|inactive|deactivated|suspended|locked|discontinued|unavailable|not available|not (?:been )?activ\w+)/i,
    fault: 'mailbox',
    source: 'mail.ru (account is disabled); 163.com (user suspended); Comcast 5.2.0 (recipient unavailable)',
  },
  {
    stages: AFTER_RECIPIENT,
    enhanced: /^(?:5\.[0-5]\.\d+)?$/,
    words: /(?:recipient )?address(?:es)? rejected|mailbox name not allowed/i,
    fault: 'mailbox',
    source: 'Microsoft 365 5.4.1 (recipient address rejected: access denied); Cox 5.1.0; RFC 5321, 4.2.3 (553)',
  },

  { stages: AFTER_RECIPIENT, codes: /^552$/, enhanced: /^$/, fault: 'full', source: 'RFC 5321, 4.2.3: storage' },
  {
    stages: ['RCPT TO', 'report'],
    codes: /^55[013]$/,
    enhanced: /^(?:5\.0\.0)?$/,
    fault: 'unclear',
    source: 'RFC 5321, 4.2.2: may also be a policy or a limit',
  },
];
