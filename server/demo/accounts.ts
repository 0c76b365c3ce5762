import { administrator, guest, member, moderator, owner } from '../policies/roles.js'

/** Who lives in the demonstration organization. */
export const accounts = [
  { name: 'owner', fullName: 'Olga Ownby', role: owner },
  { name: 'administrator', fullName: 'Adam Adler', role: administrator },
  { name: 'moderator', fullName: 'Mona Modrow', role: moderator },
  { name: 'member', fullName: 'Mehmet Ember', role: member },
  { name: 'colleague', fullName: 'Colette Leaguer', role: member },
  { name: 'guest', fullName: 'Gus Guestling', role: guest },
  { name: 'bot', fullName: 'Botho Helper', role: member, isBot: true },
] as const satisfies readonly { name: string; fullName: string; role: number; isBot?: boolean }[]

export type AccountName = (typeof accounts)[number]['name']

export const emailOf = (name: AccountName): string => `${name}@demo.example`
