/** The second factors in the own settings. */
export const factors = {
  title: 'Second factors and passkeys',
  meaning:
    'With a second factor your password alone is not enough to sign in. A passkey also works in place of the password.',
  password: 'Your password, for each change',
  passkey: 'Passkey',
  passkeyName: 'Name of the passkey',
  addPasskey: 'Add a passkey',
  noPasskeys: 'Passkeys need an address of this server with https and a host name.',
  remove: 'Remove',
  hasApp: 'Authenticator app: added',
  noApp: 'Authenticator app: none',
  addApp: 'Add an authenticator app',
  removeApp: 'Remove the app',
  scan: 'Scan this code with the app, and type the six digits that it shows.',
  qrCode: 'QR code for the authenticator app',
  secret: 'Or type this key into the app:',
  code: 'Code of the app',
  confirm: 'Confirm',
  codesLeft: 'Recovery codes left:',
  newCodes: 'New recovery codes',
  codes: 'Recovery codes',
  codesMeaning:
    'Keep these codes in a safe place. They are shown only now. Each works once in place of your second factor.',
  download: 'Download',
  print: 'Print',
  required: 'Second factor',
  none: 'Not required',
  administrators: 'Required for administrators and owners',
  users: 'Required for all people',
  requiredMeaning:
    'People who sign in by password and have no second factor set one up at the next sign-in. An identity provider asks for its own.',
}
