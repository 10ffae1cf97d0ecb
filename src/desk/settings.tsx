import type { Hono } from 'hono';
import type { ReactNode } from 'react';
import { z } from 'zod';
import { capitalise } from '#newsletter/format.ts';
import { readOwnerValues, saveOwnerValues } from '#newsletter/owner-settings/settings-store.ts';
import { toDisplayEmail } from '#newsletter/subscribers/email.ts';
import { type Environment, findSettingProblem, type OwnerSetting, type OwnerValues } from '#settings/environment.ts';
import { ACCOUNT_PAGES, type AccountName } from './account-page.tsx';
import { createAction, FieldError, handleActions } from './handle-forms.ts';
import { type AccessDesk, addNewPasskeys, createAccessActions, renderAccess } from './access.tsx';
import { describeNextStep, findFirstSteps } from './first-steps.tsx';
import { Button, ButtonLink, Field, Form, Panel, Rows } from './ui.tsx';

type SettingsDesk = AccessDesk;

/** Adds the owner's settings, which take effect without a restart. */
export function addSettings(app: Hono, desk: SettingsDesk): void {
  const save = createAction(SETTINGS_FORM, async ({ shown, ...fields }) => {
    const names = NAMES.filter((name) => shown.split(' ').includes(name) && !desk.env.given.includes(name));
    const values = Object.fromEntries(names.map((name) => [name, toValue(name, fields[name])]));
    await saveOwnerValues(desk.store, desk.secret, values, Date.now());
    return { notice: `Saved. ${SOON}` };
  });
  app.get('/desk/settings', async (context) => {
    const { unreadable } = await readOwnerValues(desk.store.db, desk.secret);
    return context.render(
      <div className="halves">
        {await renderAccess(desk, context.get('session')!)}
        <AccountPanel name="SMTP_URL" env={desk.env} unreadable={unreadable} />
        <OwnerPanel env={desk.env} />
        <SignUpPanel env={desk.env} unreadable={unreadable} />
        <CapsPanel env={desk.env} />
        <AccountPanel name="BOUNCE_MAILBOX" env={desk.env} unreadable={unreadable} />
      </div>,
      { title: 'Settings', lead: describeNextStep(await findFirstSteps(desk)) },
    );
  });
  app.post('/desk/settings', handleActions(desk, { ...createAccessActions(desk), save }));
  addNewPasskeys(app, desk);
}

/** The server checks for changed settings every second, and first finishes the emails that it is sending. */
export const SOON = 'It takes effect within a few seconds.';

/** Browsers don't send unticked boxes, so `shown` names the settings of the form. */
const SETTINGS_FORM = z.object({
  shown: z.string(),
  NOTIFY_TO: z.string().optional(),
  SUMMARY: z.string().optional(),
  DOUBLE_OPT_IN: z.string().optional(),
  SHEET_URL: z.string().optional(),
  MAIL_HOURLY_CAP: z.string().optional(),
  MAIL_DAILY_CAP: z.string().optional(),
});

/** The accounts have their own pages. */
const NAMES = SETTINGS_FORM.omit({ shown: true }).keyof().options;

/** Converts a field to the value to store. @throws an error at the field if the value isn't valid */
function toValue(name: OwnerSetting, typed: string | undefined): string {
  const value = typed?.trim() ?? UNTICKED[name] ?? '';
  const problem = value === '' ? undefined : findSettingProblem(name, value);
  if (problem !== undefined) throw new FieldError(name, `${capitalise(problem)}.`);
  return value;
}

const UNTICKED: OwnerValues = { SUMMARY: 'off', DOUBLE_OPT_IN: 'false' };

type AccountPanelProps = { name: AccountName; env: Environment; unreadable: OwnerSetting[] };

/** Shows a mail account or mailbox, with a link to the page that has its form. */
function AccountPanel({ name, env, unreadable }: AccountPanelProps) {
  const { title, path, use, without } = ACCOUNT_PAGES[name];
  const url = URL.parse(env[name] ?? '');
  return (
    <Panel title={title} note={env.given.includes(name) && SET_IN_FILE}>
      <p>{use}</p>
      {url === null ? (
        <p className="quiet">{unreadable.includes(name) ? UNREADABLE : without}</p>
      ) : (
        <Rows
          rows={[
            ['Server', url.host],
            ['User name', decodeURIComponent(url.username) || 'None'],
          ]}
        />
      )}
      {!env.given.includes(name) && (
        <ButtonLink kind={url === null ? 'filled' : 'plain'} href={path}>
          {url === null ? 'Set it up' : 'Change'}
        </ButtonLink>
      )}
    </Panel>
  );
}

const SET_IN_FILE = 'Set in .env';
const UNREADABLE =
  'The saved value can’t be read on this machine, because the signing secret is different. Enter it again.';

type PanelProps = { env: Environment };

function OwnerPanel({ env }: PanelProps) {
  return (
    <SettingsPanel title="Emails to you" env={env} names={['NOTIFY_TO', 'SUMMARY']}>
      <TextSetting
        env={env}
        name="NOTIFY_TO"
        type="email"
        label="Your address for notices"
        hint="Receives a short notice of each sign-up, alerts and the weekly email. If it is empty, only alerts are sent, to the email address on your site."
        value={env.NOTIFY_TO && toDisplayEmail(env.NOTIFY_TO)}
      />
      <Box env={env} name="SUMMARY" value="on" label="A weekly email about your list, on Mondays" isOn={env.SUMMARY} />
    </SettingsPanel>
  );
}

function SignUpPanel({ env, unreadable }: PanelProps & { unreadable: OwnerSetting[] }) {
  return (
    <SettingsPanel title="Sign-ups" env={env} names={['DOUBLE_OPT_IN', 'SHEET_URL']}>
      <Box
        env={env}
        name="DOUBLE_OPT_IN"
        value="true"
        label="Ask people to confirm their email address before they join"
        isOn={env.DOUBLE_OPT_IN}
      />
      <TextSetting
        env={env}
        name="SHEET_URL"
        inputMode="url"
        label="Spreadsheet"
        hint="To add each sign-up to a spreadsheet, enter the web app URL of its script."
        error={unreadable.includes('SHEET_URL') ? UNREADABLE : undefined}
        value={env.SHEET_URL}
      />
    </SettingsPanel>
  );
}

function CapsPanel({ env }: PanelProps) {
  return (
    <SettingsPanel title="Sending limits" env={env} names={['MAIL_HOURLY_CAP', 'MAIL_DAILY_CAP']}>
      <p>Your mail provider tells you how many emails it accepts. Any more will wait.</p>
      <TextSetting
        env={env}
        name="MAIL_HOURLY_CAP"
        inputMode="numeric"
        label="Emails an hour"
        value={String(env.MAIL_HOURLY_CAP)}
      />
      <TextSetting
        env={env}
        name="MAIL_DAILY_CAP"
        inputMode="numeric"
        label="Emails in 24 hours"
        hint="Leave empty for no limit."
        value={env.MAIL_DAILY_CAP?.toString()}
      />
    </SettingsPanel>
  );
}

type SettingsPanelProps = PanelProps & { title: string; names: OwnerSetting[]; children: ReactNode };

function SettingsPanel({ title, env, names, children }: SettingsPanelProps) {
  const isLocked = names.every((name) => env.given.includes(name));
  return (
    <Panel title={title}>
      <Form>
        <input type="hidden" name="shown" value={names.join(' ')} />
        {children}
        {!isLocked && <Button action="save">Save</Button>}
      </Form>
    </Panel>
  );
}

type TextSettingProps = PanelProps & {
  name: OwnerSetting;
  label: string;
  hint?: string;
  value: string | undefined;
  error?: string | undefined;
  type?: 'email';
  inputMode?: 'numeric' | 'url';
};

function TextSetting({ env, name, value, ...field }: TextSettingProps) {
  const isGiven = env.given.includes(name);
  return (
    <Field id={name} note={isGiven ? SET_IN_FILE : undefined} disabled={isGiven} defaultValue={value} {...field} />
  );
}

type BoxProps = PanelProps & { name: OwnerSetting; value: string; label: string; isOn: boolean };

function Box({ env, name, value, label, isOn }: BoxProps) {
  const isGiven = env.given.includes(name);
  return (
    <label className="choice">
      <input type="checkbox" name={name} value={value} defaultChecked={isOn} disabled={isGiven} />
      <span>
        {label} {isGiven && <small>{SET_IN_FILE}</small>}
      </span>
    </label>
  );
}
