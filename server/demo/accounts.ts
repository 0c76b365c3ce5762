import { administrator, guest, member, moderator, owner } from '../policies/roles.js'

export interface DemoAccount {
  readonly name: string
  readonly fullName: string
  readonly role: number
  readonly isBot?: boolean
  /** Where the person is, and what the person's status says. */
  readonly timezone?: string
  readonly status?: { readonly status_text: string; readonly emoji_name: string }
}

/** Who lives in the demonstration organization. Each has a picture of the same name in `pictures/`. */
export const accounts = [
  { name: 'owner', fullName: 'Olga Ownby', role: owner, timezone: 'Europe/Berlin' },
  { name: 'administrator', fullName: 'Adam Adler', role: administrator, timezone: 'Europe/Vienna' },
  { name: 'moderator', fullName: 'Mona Modrow', role: moderator, timezone: 'Europe/Berlin' },
  {
    name: 'member',
    fullName: 'Mehmet Ember',
    role: member,
    timezone: 'Europe/Istanbul',
    status: { status_text: 'Deep work until noon', emoji_name: 'headphones' },
  },
  { name: 'colleague', fullName: 'Colette Leaguer', role: member, timezone: 'Europe/Paris' },
  { name: 'guest', fullName: 'Gus Guestling', role: guest, timezone: 'America/New_York' },
  { name: 'bot', fullName: 'Botho Helper', role: member, isBot: true },
  {
    name: 'engineer',
    fullName: 'Ines Okafor',
    role: member,
    timezone: 'Africa/Lagos',
    status: { status_text: 'On call this week', emoji_name: 'pager' },
  },
  { name: 'operator', fullName: 'Ravi Menon', role: member, timezone: 'Asia/Kolkata' },
  { name: 'designer', fullName: 'Lena Lindqvist', role: member, timezone: 'Europe/Stockholm' },
  {
    name: 'support',
    fullName: 'Tomás Rivera',
    role: member,
    timezone: 'America/Mexico_City',
    status: { status_text: 'Answering customers', emoji_name: 'speech_balloon' },
  },
  {
    name: 'writer',
    fullName: 'Yuki Tanaka',
    role: member,
    timezone: 'Asia/Tokyo',
    status: { status_text: 'On holiday, back on Monday', emoji_name: 'palm_tree' },
  },
  { name: 'analyst', fullName: 'Samira Haddad', role: member, timezone: 'Africa/Tunis' },
] as const satisfies readonly DemoAccount[]

export type AccountName = (typeof accounts)[number]['name']

export const emailOf = (name: AccountName): string => `${name}@demo.example`
