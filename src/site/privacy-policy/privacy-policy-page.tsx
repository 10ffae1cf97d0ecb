import { SiteFooter } from '#site/shell/site-footer.tsx';
import { SiteHeader } from '#site/shell/site-header.tsx';
import { Policy } from './policy.tsx';

export function PrivacyPolicyPage() {
  return (
    <>
      <SiteHeader />
      <Policy />
      <SiteFooter />
    </>
  );
}
