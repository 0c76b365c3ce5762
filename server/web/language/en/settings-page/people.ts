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
