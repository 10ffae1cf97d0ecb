import type { ComponentProps } from 'react';

/** Every island by its name. The server renders it; the browser loads it when the visitor first uses it. */
export const ISLANDS = {
  'newsletter-form': async () => (await import('./newsletter-form/newsletter-form.tsx')).NewsletterForm,
};

export type IslandName = keyof typeof ISLANDS;

export type IslandProps<Name extends IslandName> = ComponentProps<Awaited<ReturnType<(typeof ISLANDS)[Name]>>>;
