import { faq } from 'virtual:content';
import type { FAQPage, WithContext } from 'schema-dts';

/** The questions and answers in the words of the page, for search engines. */
export function faqStructuredData(): WithContext<FAQPage> {
  return {
    '@context': 'https://schema.org',
    '@type': 'FAQPage',
    mainEntity: faq.items.map(({ question, answer }) => ({
      '@type': 'Question',
      name: question,
      acceptedAnswer: { '@type': 'Answer', text: answer },
    })),
  };
}
