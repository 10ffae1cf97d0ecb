// Signs in with a passkey, or adds one. The page's parts for this are shown only if the browser supports passkeys.

for (const part of document.querySelectorAll<HTMLElement>('[data-passkey], [data-new-passkey]')) {
  if (!('PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential)) continue;
  // Browsers don't create passkeys for IP addresses.
  if (/^[\d.]+$|^\[/.test(location.hostname)) continue;
  part.hidden = false;
  const button = part.querySelector('button')!;
  const run = part.hasAttribute('data-passkey') ? signIn : addPasskey;
  const press = async () => {
    button.disabled = true;
    const problem = await run(part).catch((error: Error) => describeFailure(error, run === addPasskey));
    part.querySelector('.error')!.textContent = problem ?? '';
    button.disabled = false;
  };
  button.addEventListener('click', () => void press());
}

/** @returns an error message if it failed */
async function signIn(part: HTMLElement): Promise<string | undefined> {
  const options = await ask('/desk/sign-in/passkey/challenge');
  if (!options.ok) return options.text();
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    (await options.json()) as PublicKeyCredentialRequestOptionsJSON,
  );
  const credential = await navigator.credentials.get({ publicKey });
  const to = String(new URLSearchParams({ to: part.dataset.to ?? '' }));
  const result = await ask(`/desk/sign-in/passkey?${to}`, credential);
  const text = await result.text();
  if (!result.ok) return text;
  location.assign(text);
  return undefined;
}

/** @returns an error message if it failed */
async function addPasskey(): Promise<string | undefined> {
  const options = await ask('/desk/settings/passkey/challenge');
  if (!options.ok) return options.text();
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    (await options.json()) as PublicKeyCredentialCreationOptionsJSON,
  );
  const result = await ask('/desk/settings/passkey', await navigator.credentials.create({ publicKey }));
  if (!result.ok) return result.text();
  location.assign('/desk/settings');
  return undefined;
}

function ask(url: string, body: Credential | null = null): Promise<Response> {
  const { pageKey = '' } = document.documentElement.dataset;
  const headers = { 'Content-Type': 'application/json', 'Desk-Page-Key': pageKey };
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

function describeFailure({ name }: Error, isNew: boolean): string {
  if (name === 'InvalidStateError') return 'This device already has a passkey for this desk.';
  if (name !== 'NotAllowedError') {
    return isNew ? 'That didn’t work. Try again.' : 'That didn’t work. Try again, or ask for a link by email.';
  }
  return isNew
    ? 'Nothing has changed: you cancelled, or it took too long.'
    : 'Nothing has changed: you cancelled, it took too long, or this device has no passkey for this desk.';
}
