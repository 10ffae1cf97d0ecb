import { createContext, use } from 'react';
import type { SiteContent } from '#content/site-content.ts';
import type { Site } from './page.ts';

/** The site that a document belongs to; `Document` provides it. */
export const SiteContext = createContext<Site | undefined>(undefined);

export function useSite(): Site {
  const site = use(SiteContext);
  if (site === undefined) throw new Error('This component was rendered outside a document');
  return site;
}

export function useContent(): SiteContent {
  return useSite().content;
}
