import { createContext } from 'react';
import type { FooterLink } from './page.ts';

/** The pages that the footer links: the layout doesn't know the list of pages. */
export const FooterLinks = createContext<FooterLink[]>([]);
