import { counterOf } from '../../counter.js'

const count = counterOf('en')

/** The people of the organization. */
export const people = {
  find: 'Find people by name or address',
  role: 'Role',
  allRoles: 'All roles',
  bots: 'Bots',
  state: 'State',
  active: 'Active',
  deactivated: 'Deactivated',
  count: (n: number) => count(n, { one: n => `${n} account`, other: n => `${n} accounts` }),
  lastSeen: (day: string) => `last active ${day}`,
  activity: 'Activity',
  all: 'All people',
  profile: 'Profile',
  access: 'Signing in',
  resetPassword: 'Send a link for a new password',
  resetMeaning: 'The present password stays until the person sets another one.',
  resetMailed: 'The link is mailed. It is good for three days.',
  resetLink: 'This server sends no mails. Hand over this link; it is good for three days, and once.',
  link: 'Link for a new password',
  endSessions: 'Sign out everywhere',
  reallyEndSessions: 'Really sign out',
  sessionsMeaning: 'Ends the sessions in all browsers, such as on a lost computer. The API key of other clients stays.',
  sessionsEnded: 'All sessions have ended.',
  deactivate: 'Deactivate the account',
  deactivateMeaning:
    'The person is signed out everywhere and can no longer sign in. What the person wrote stays, unless you delete it here.',
  erase: {
    delete_profile: 'Delete name, address and profile, for ever',
    delete_public_channel_messages: 'Delete all messages in public channels',
    delete_private_channel_messages: 'Delete all messages in private channels',
    delete_direct_messages: 'Delete all direct messages',
  },
  reallyDeactivate: 'Really deactivate',
  reallyErase: 'Really deactivate, and delete what is chosen',
  reactivate: 'Reactivate the account',
  obstacle: {
    administrator: 'Only administrators change accounts.',
    owner: 'Only owners change the accounts of owners.',
    onlyOwner: 'This is the only owner. Make another person an owner first.',
    guest: 'A guest becomes a member first.',
  },
}

/** Invitations. */
export const invitations = {
  byMail: 'Invite people by mail',
  byLink: 'Make a link',
  open: 'Open invitations',
  none: 'There is no open invitation.',
  link: 'A link',
  notAllowed: 'You may not invite people.',
  never: 'until it is revoked',
  noneSent: 'No invitation was sent.',
  theseNot: 'These addresses cannot be invited:',
  othersSent: 'The others are invited. These are not:',
  reasons: {
    invalid: 'no email address',
    domain: 'outside the domains of the organization',
    plusSign: 'addresses with a plus sign are not allowed',
    disposable: 'addresses of throw-away mailboxes are not allowed',
    reserved: 'belongs to the server',
    account: 'has an account already',
    deactivated: 'has a deactivated account',
  },
  forEver: 'valid until it is revoked',
  until: (date: string) => `valid until ${date}`,
  by: (name: string) => `by ${name}`,
  copy: 'Copy link',
  copied: 'Copied',
  resend: 'Send again',
  resendOne: (one: string) => `Send again: ${one}`,
  revoke: 'Revoke',
  revokeOne: (one: string) => `Revoke: ${one}`,
}
