import type { Notice, SignUpForm } from './newsletter.ts';
import type { OptionalFields } from './sign-up-fields.ts';

/** The values that a form sent, kept so that a failure page can show them again. */
export type SignUpEntry = OptionalFields & { form: SignUpForm; email: string; consent: boolean };

/** Why a sign-up is refused; `field` is the payload's field, where one field is to blame. */
export type SignUpRefusal = Notice & { field?: string };
