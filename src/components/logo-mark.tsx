/** Three dots, then two, then a highlighted one: from many to few. */
export function LogoMark() {
  return (
    <svg viewBox="0 0 24 24" width="24" height="24" fill="none" stroke="currentColor" strokeLinecap="round" aria-hidden>
      <path d="M3 4h0M12 4h0M21 4h0" strokeWidth="4" opacity=".4" />
      <path d="M7.5 12h0M16.5 12h0" strokeWidth="4.8" opacity=".75" />
      <path d="M12 20.2h0" strokeWidth="6.4" stroke="var(--sun)" />
    </svg>
  );
}
