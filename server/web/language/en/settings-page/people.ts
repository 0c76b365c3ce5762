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
  testWelcome: 'Send it to me as a test',
  welcomeSent: 'The welcome bot has written to you.',
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
  removeFactors: 'Remove second factors',
  reallyRemoveFactors: 'Really remove them',
  factorsMeaning:
    'For a person who has lost them: removes the authenticator app, the passkeys and the recovery codes, and ends all sessions.',
  factorsRemoved: 'The second factors are removed.',
  space: 'Space for files',
  spaceUsed: (size: string) => `The files of this account take ${size}.`,
  spaceQuota: 'Limit in MiB',
  spaceMeaning: (usual: string) =>
    `Empty: as for all accounts (${usual}). 0: no limit. The person gets a notice at 80 and at 95 percent.`,
  data: 'Data of the person',
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

/** The end of a person. */
export const erasure = {
  title: 'Erase the person',
  meaning:
    'Erases everything that belongs to this person for good: name, address, picture, settings, files, reactions and access. Mentions then say "Deleted user". This cannot be undone.',
  messages: 'Delete the messages of the person, too; otherwise they stay under the name "Deleted user"',
  found: (messages: number, files: number, reactions: number, others: number) =>
    [
      messages > 0 && count(messages, { one: n => `${n} message`, other: n => `${n} messages` }),
      count(files, { one: n => `${n} file`, other: n => `${n} files` }),
      count(reactions, { one: n => `${n} reaction`, other: n => `${n} reactions` }),
      count(others, { one: n => `${n} further record`, other: n => `${n} further records` }),
    ]
      .filter(Boolean)
      .join(', '),
  nothing: 'Nothing is left of this person.',
  pending: 'The server is erasing this person.',
  failed: 'The server could not finish. The operator finds the reason among the jobs.',
  confirm: (name: string) => `To confirm, type the name of the person: ${name}`,
  erase: 'Erase for good',
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
    tooOften: 'has got too many invitations today',
    disposable: 'addresses of throw-away mailboxes are not allowed',
    reserved: 'belongs to the server',
    account: 'has an account already',
    deactivated: 'has a deactivated account',
  },
  forEver: 'valid until it is revoked',
  until: (date: string) => `valid until ${date}`,
  by: (name: string) => `by ${name}`,
  failed: 'The mail could not be sent.',
  copy: 'Copy link',
  copied: 'Copied',
  resend: 'Send again',
  resendOne: (one: string) => `Send again: ${one}`,
  revoke: 'Revoke',
  revokeOne: (one: string) => `Revoke: ${one}`,
}
