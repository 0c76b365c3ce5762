/** The user's password, API key and sessions, in the settings. */
export const account = {
  password: 'Password',
  oldPassword: 'Present password',
  newPassword: 'New password',
  showPasswords: 'Show the passwords',
  changePassword: 'Change password',
  passwordChanged: 'The password is changed.',
  wrongPassword: 'This is not your password.',
  weakPassword: 'This password is too easy to guess. Take a longer one, such as several words.',
  longPassword: 'This password is too long.',
  apiKey: 'API key',
  apiKeyMeaning: 'Programs act for you with your email address and this key. Keep it as secret as your password.',
  show: 'Show',
  hide: 'Hide',
  copy: 'Copy',
  copied: 'The key is copied.',
  sessions: 'Sessions',
  sessionsMeaning:
    'If you have lost a device, or another person may know your API key: sign out everywhere but in this browser.',
  signOutElsewhere: 'Sign out everywhere else …',
  confirm:
    'You get a new API key. All other browsers and devices are signed out at once, and programs that use the present key stop working. This browser stays signed in.',
  signOutNow: 'Sign out everywhere else',
  signedOutElsewhere: 'You are signed out everywhere else, and have a new API key.',
}
