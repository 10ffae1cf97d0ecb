import type { ComponentType, ReactNode } from 'react';
import type { SiteContent } from '#content/site-content.ts';
import type { SiteSettings } from '#settings/site-settings.ts';
import type { Node } from './structured-data.ts';

/** The metadata of a page that search engines may find and people may share. */
export type PageFacts = {
  path: string;
  title: string;
  description: string;
  /** The text of its share image. */
  share: { eyebrow: string; headline: string };
  /** The label of its link in the footer; left out if the footer has none. */
  footer?: string | undefined;
};

/** A page made of components, with its path and the metadata that content/ has for it. */
export type ComponentPage = {
  path: string;
  facts: (content: SiteContent) => Omit<PageFacts, 'path'>;
  /** Structured data in addition to that of every page. */
  graph?: (origin: string, content: SiteContent) => Node[];
  component: ComponentType;
};

export type FooterLink = { path: string; label: string };

/** Files of the build: the URLs of scripts, fonts and share images, and the stylesheets. */
export type Assets = {
  /**
   * The styles in every document, and their hash for the Content-Security-Policy; left out in development,
   * which links every component's styles.
   */
  styles?: { css: string; hash: string };
  /** The URL of the styles for the banner, toasts and printing; left out in development too. */
  lateStyles?: string;
  loader: string;
  /** The URL of the script that the loader fetches at the first interaction. */
  interactions: string;
  fonts: string[];
  /** The URL of the owner's own icon; left out if browsers are to show the one made from the mark. */
  ownIcon?: string;
  /** By the page's path. */
  shareImages: Record<string, string>;
};

/** The data that every document of a site needs. */
export type Site = {
  content: SiteContent;
  assets: Assets;
  settings: SiteSettings;
  footerLinks: FooterLink[];
};

export type Page = {
  title: string;
  description: string;
  /** The page's own path; left out for pages that respond to a single request and must not be indexed. */
  path?: string;
  /** Whether its URL may work for anybody, or it shows typed text: then it loads nothing from third parties. */
  isSecret?: boolean;
  share?: PageFacts['share'];
  /** Structured data in addition to that of every indexed page. */
  graph?: ((origin: string) => Node[]) | undefined;
  body: ReactNode;
};

/** A page that search engines may find and people may share. */
export type SitePage = PageFacts & Pick<Page, 'graph' | 'body'>;
