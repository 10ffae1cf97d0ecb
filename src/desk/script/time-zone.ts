// Tells the desk the browser's time zone: times are shown in London time, and in the browser's if that differs.

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
document.cookie = `desk-zone=${encodeURIComponent(timeZone)}; path=/desk; max-age=31536000; samesite=strict`;
