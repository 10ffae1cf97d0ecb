import { BANNER_PARTS } from './banner-parts.ts';

const { version, tags } = document.getElementById(BANNER_PARTS.root)!.dataset;

/** The version of the question that this document asks (src/content/consent/question-version.ts). */
export const VERSION = version!;
export const HAS_TAGS = tags !== undefined;
