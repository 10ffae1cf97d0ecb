/** Three dots, two, one lit: from many to few. */
export function LogoMark() {
  return (
    <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <path
        d="M3 4h0M12 4h0M21 4h0"
        fill="none"
        stroke="currentColor"
        strokeWidth="4"
        strokeLinecap="round"
        opacity=".4"
      />
      <path
        d="M7.5 12h0M16.5 12h0"
        fill="none"
        stroke="currentColor"
        strokeWidth="4.8"
        strokeLinecap="round"
        opacity=".75"
      />
      <path d="M12 20.2h0" fill="none" stroke="var(--sun)" strokeWidth="6.4" strokeLinecap="round" />
    </svg>
  );
}
